package io.galop.persist.cassandra;

import io.galop.persist.sink.SinkFixture;
import io.galop.servers.PackedNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A publisher at the tcp door, whose records have times of their own, and what became of them. */
final class TcpFeed {
  private static final int TOPICS = 20;
  private static final long FIRST_US = 1_395_000_000_000_000L;
  private static final int TIMEOUT_MS = 30_000;

  private TcpFeed() {}

  /** Publishes records by their numbers, again until all are acknowledged. */
  static void publish(PackedNode node, int from, int to) throws Exception {
    send(
        node,
        IntStream.range(from, to).mapToObj(n -> line("id-" + n, n, Integer.toString(n))).toList());
  }

  static String line(String id, int n, String text) {
    return new JsonObject()
        .put("topic", "race/" + n % TOPICS)
        .put("id", id)
        .put("time", FIRST_US + n)
        .put("data", new JsonObject().put("text", text))
        .encode();
  }

  /** Sends lines, again until all are acknowledged. */
  static void send(PackedNode node, List<String> lines) throws Exception {
    SinkFixture.until(() -> areAcknowledged(node, lines));
  }

  private static boolean areAcknowledged(PackedNode node, List<String> lines) {
    URI door = node.uri("tcp", "/");
    try (Socket socket = new Socket(door.getHost(), door.getPort())) {
      socket.setSoTimeout(TIMEOUT_MS);
      String all = String.join("\n", lines) + "\n";
      socket.getOutputStream().write(all.getBytes(StandardCharsets.UTF_8));
      BufferedReader answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      long acked = 0;
      while (acked < lines.size()) {
        String answer = answers.readLine();
        if (answer == null || answer.contains("rejected") || answer.contains("error")) {
          return false;
        }
        acked = new JsonObject(answer).getLong("acked");
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The ids of so many records, in the order of text. */
  static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(n -> "id-" + n).sorted().toList();
  }

  /** The ids of them that the node's history has, each as often as it is there. */
  static List<String> history(PackedNode node) {
    try {
      String answer = node.get("http", "/history/race/%23?limit=10000");
      JsonArray found = answer.startsWith("[") ? new JsonArray(answer) : new JsonArray();
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < found.size(); i++) {
        ids.add(found.getJsonObject(i).getString("id"));
      }
      return ids.stream().filter(id -> id.startsWith("id-")).sorted().toList();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
