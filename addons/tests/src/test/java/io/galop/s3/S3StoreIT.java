package io.galop.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.PackedNode;
import io.galop.servers.S3Server;
import io.galop.servers.StoreProxy;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packed jars archive into the bucket of a real server while node and server are killed and the
 * keys change; read as the files that the server keeps.
 */
@Timeout(900)
class S3StoreIT {
  private static final String SECRET = "first-secret";
  private static final int WAIT_SECONDS = 240;
  private static final int LINES = 100;
  private static final long LATE_ANSWER_MS = 3_000;

  @TempDir Path directory;
  private int published;

  /** The one that was started last. */
  private @Nullable PackedNode node;

  /** What a node said last. */
  private String said = "";

  @AfterEach
  void end() throws InterruptedException {
    if (node != null) {
      node.kill();
    }
  }

  private Path config(StoreProxy proxy) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), SECRET + "\n");
    return Files.writeString(
        directory.resolve("galop.yaml"),
        """
        persist:
          cold:
            stores:
              - s3:
                  endpoint: http://127.0.0.1:%d
                  bucket: feed
                  prefix: north/
                  pathStyle: true
                  login: {user: galop, passwordFile: %s}
                  directory: %s
                  topics: ["race/#"]
                  maxFileBytes: 1024
                  maxFileSeconds: 1
                  batchMs: 50
                  batchBytes: 16384
                  maxPauseMs: 500
                  timeoutMs: 20000
        """
            .formatted(proxy.port(), secret, directory.resolve("waiting")));
  }

  /** Lines of a topic and of one that is not asked for, again until they are acknowledged. */
  private void publish(PackedNode node) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++, published++) {
      lines.append(line("race/" + published % 3, published));
    }
    lines.append(line("other/1", published));
    until("lines are acknowledged", () -> node.publish(lines.toString()));
  }

  private static String line(String topic, int n) {
    return "{\"topic\":\"%s\",\"id\":\"id-%d\",\"data\":{\"n\":%d}}%n".formatted(topic, n, n);
  }

  private void until(String what, Callable<Boolean> holds) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!holds.call()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + WAIT_SECONDS + " s: " + what + "\n" + said);
      }
      Thread.sleep(20);
    }
  }

  private static List<Path> objects(S3Server server) throws IOException {
    return server.objects("feed", "north", ".ndjson.gz");
  }

  /** The numbers of all lines in the bucket, sorted; fails at an object that is not whole. */
  private static List<Integer> numbers(S3Server server) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (Path object : objects(server)) {
      String name = object.toString().replaceAll(".*/north/", "");
      assertTrue(
          name.matches("prefix=race/date=\\d{4}-\\d\\d-\\d\\d/hour=\\d\\d/s3-[0-9a-f]{16}-.*"),
          name);
      try (InputStream lines = new GZIPInputStream(Files.newInputStream(object))) {
        new String(lines.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .forEach(
                line -> numbers.add(new JsonObject(line).getJsonObject("data").getInteger("n")));
      }
    }
    return numbers.stream().sorted().toList();
  }

  private List<Path> waiting() throws IOException {
    return S3Server.files(directory.resolve("waiting"), ".part");
  }

  private static String status(PackedNode node) throws Exception {
    return node.get("management", "/status");
  }

  private void awaitAll(S3Server server, PackedNode node) throws Exception {
    until(
        "all is in the bucket",
        () ->
            node.metric("galop_persist_sink_lag_bytes", "sink=\"s3\"") == 0
                && waiting().isEmpty()
                && numbers(server).size() >= published);
    assertEquals(IntStream.range(0, published).boxed().toList(), numbers(server));
  }

  /** The object is there, and the node that is killed has not heard of it. */
  private void killWhileUploading(S3Server server, StoreProxy proxy, PackedNode node)
      throws Exception {
    proxy.delayAnswersMs(LATE_ANSWER_MS);
    int before = objects(server).size();
    publish(node);
    until("an object is there", () -> objects(server).size() > before);
    node.kill();
    proxy.delayAnswersMs(0);
  }

  @Test
  void eachRecordIsInTheBucketOnceThoughNodeAndServerAreKilled() throws Exception {
    PackedNode.install(directory, "s3");
    try (S3Server server = new S3Server("feed", SECRET);
        StoreProxy proxy = new StoreProxy(server.port())) {
      Path config = config(proxy);
      node = PackedNode.run(directory, "node", config);
      publish(node);
      awaitAll(server, node);
      for (int kill = 0; kill < 2; kill++) {
        killWhileUploading(server, proxy, node);
        node = PackedNode.run(directory, "node", config);
        publish(node);
      }
      awaitAll(server, node);
      server.kill();
      awayIsSaid(node, "cannot be reached");
      server.start("another-secret");
      awayIsSaid(node, "refuses the secret key");
      Files.writeString(directory.resolve("secret"), "another-secret");
      awaitAll(server, node);
      assertEquals(0, node.terminate(), node.text());
    }
  }

  /** The live path goes on meanwhile. */
  private void awayIsSaid(PackedNode node, String why) throws Exception {
    publish(node);
    until(
        "it is said: " + why,
        () -> {
          said = status(node);
          return said.contains("the store s3 has") && said.contains(why);
        });
    publish(node);
  }
}
