package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A stage with the script s.js and records that go through it for as long as the test runs. */
final class SwapTraffic implements AutoCloseable {
  /** How many topics there are; the number of a record modulo this is in its topic. */
  static final int TOPICS = 10;

  private static final int BATCH = 10;

  final EnrichFixture node;
  private final Path directory;
  private final Thread sender = new Thread(this::send, "traffic");
  private volatile boolean ended;
  private volatile int sent;

  /**
   * A stage with traffic.
   *
   * @param keys more keys of the script step, as in {@code shadow: {seconds: 1}}
   */
  SwapTraffic(Path directory, String source, String keys) throws Exception {
    this(directory, "s.js", source, keys);
  }

  /** The same with another file than s.js, whose name says the language. */
  SwapTraffic(Path directory, String file, String source, String keys) throws Exception {
    this.directory = directory;
    write(file, source);
    String yaml = "enrich: {directory: '%s', chain: [script: {file: %s, watchMs: 50, %s%s}]}";
    String limit = keys.contains("timeLimitMs") ? "" : ", timeLimitMs: 20000";
    node = new EnrichFixture(yaml.formatted(directory, file, keys, limit));
    sender.start();
  }

  void write(String file, String text) throws IOException {
    Path whole = directory.resolve(file + ".new");
    Files.writeString(whole, text);
    Files.move(whole, directory.resolve(file), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** About a thousand records a second. */
  private void send() {
    try {
      while (!ended) {
        for (int topic = 0; topic < TOPICS && !ended; topic++) {
          Record[] records = new Record[BATCH];
          for (int i = 0; i < BATCH; i++) {
            records[i] = EnrichFixture.record("r" + sent++, "t/" + topic, "{\"v\":" + i + "}");
          }
          node.send(records);
        }
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the node tells of its only script. */
  JsonObject script() {
    JsonArray all =
        node.node
            .reports()
            .find("scripts")
            .orElseThrow()
            .answer(Map.of())
            .result()
            .getJsonArray("scripts");
    return all.getJsonObject(0);
  }

  /** Waits for a candidate's decision. */
  JsonObject decision() throws InterruptedException {
    return await(candidate -> candidate.containsKey("decidedMs"));
  }

  /** Waits for a candidate that takes over. */
  JsonObject awaitPromoted() throws InterruptedException {
    return decided("promoted");
  }

  /** Waits for one that does not, for a reason that has these words. */
  void awaitRolledBack(String why) throws InterruptedException {
    JsonObject decided = decided("rolled_back");
    assertTrue(decided.getString("reason").contains(why), decided.getString("reason"));
  }

  private JsonObject decided(String phase) throws InterruptedException {
    JsonObject decided = decision();
    assertEquals(phase, decided.getString("phase"), decided.encodePrettily());
    return decided;
  }

  /** Waits until a candidate is as wanted. */
  JsonObject await(Predicate<JsonObject> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    JsonObject candidate = new JsonObject();
    while (System.nanoTime() < deadline) {
      candidate = script().getJsonObject("candidate", new JsonObject());
      if (wanted.test(candidate)) {
        return candidate;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("is not so in time: " + candidate.encodePrettily());
  }

  /** Ends the traffic; all that was sent has an output by then, or a dead letter. */
  List<Record> end() throws InterruptedException {
    ended = true;
    sender.join();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (node.stored.size() < sent && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    return stored();
  }

  /** What has an output so far. */
  List<Record> stored() {
    synchronized (node.stored) {
      return List.copyOf(node.stored);
    }
  }

  int sent() {
    return sent;
  }

  /** The data of the records of each topic, in the order that they were stored. */
  static Map<String, List<JsonObject>> byTopic(List<Record> records) {
    return records.stream()
        .collect(
            Collectors.groupingBy(
                Record::topic, Collectors.mapping(SwapTraffic::data, Collectors.toList())));
  }

  private static JsonObject data(Record record) {
    return new JsonObject(new String(record.data(), StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws Exception {
    ended = true;
    sender.join();
    node.close();
  }
}
