package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node's bounds follow the memory that it is given. */
@Tag("alone")
@Timeout(180)
class MemoryBoundsIT {
  private static final int RECORDS = 400_000;
  private static final int LINES = 500;
  private static final List<String> SMALL = List.of("-Xmx384m", "-XX:+ExitOnOutOfMemoryError");

  @TempDir Path directory;

  /** Each on a topic of its own: the latest of each is what a node keeps for longest. */
  @Test
  void aSmallNodeWithAllRolesTakesFourHundredThousandRecordsAndLives() throws Exception {
    try (GalopProcess node = GalopProcess.run(directory, SMALL, List.of())) {
      String[] address = node.address("tcp").split(":");
      try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
        CompletableFuture<Long> acknowledged = acknowledged(socket);
        send(socket.getOutputStream());
        assertEquals(RECORDS, acknowledged.get());
      }
      assertTrue(node.isAlive(), node.text());
      assertEquals(200, Stored.get(node.management("/health/ready")).statusCode());
      assertEquals(1, Stored.history(node.http("/history/own/" + (RECORDS - 1))).size());
      node.terminate();
      assertEquals(0, node.awaitExit(60), node.text());
    }
  }

  private static void send(OutputStream out) throws IOException {
    String pad = "x".repeat(400);
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < RECORDS; n++) {
      lines.append("{\"topic\":\"own/%d\",\"data\":{\"pad\":\"%s\"}}\n".formatted(n, pad));
      if (n % LINES == LINES - 1) {
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        lines.setLength(0);
      }
    }
  }

  /** How many, once it is all of them or the connection ends. */
  private static CompletableFuture<Long> acknowledged(Socket socket) throws IOException {
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    return CompletableFuture.supplyAsync(
        () -> {
          long acked = 0;
          try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
              acked = new JsonObject(line).getLong("acked", acked);
              if (acked >= RECORDS) {
                break;
              }
            }
          } catch (IOException e) {
            // The node is gone: what it acknowledged until then is the answer.
          }
          return acked;
        });
  }

  @Test
  void boundsThatDoNotFitAreRefusedWithTheLargestAndWhatToDo() {
    List<String> args =
        List.of(
            "--set", "enrich.maxPendingBytes=33554432", "--set", "persist.ram.maxBytes=536870912");
    AssertionError refused =
        assertThrows(AssertionError.class, () -> GalopProcess.run(directory, SMALL, args).close());
    String said = refused.getMessage();
    assertTrue(said.contains("enrich.maxPendingBytes 512 MiB"), said);
    assertTrue(said.contains("does not fit into a heap of 384 MiB"), said);
    assertTrue(said.contains("persist.ram.maxBytes: must be at most 288 MiB"), said);
    assertTrue(said.contains("-Xmx"), said);
  }
}
