package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sensors number their own messages: one id on 32 topics is 32 records, at the door, on a screen,
 * in every answer about the past and in every store, also where all of them become records of one
 * topic, or dead letters.
 */
@Timeout(180)
class IdOfTopicIT {
  private static final int SENSORS = 32;
  private static final int RECORDS = 3 * SENSORS;
  private static final String SCRIPT =
      """
      function enrich(r) {
        if (r.data.bad) throw new Error('bad');
        return {topic: 'fleet', timeUs: 5, data: r.data};
      }
      """;

  @TempDir Path directory;

  private static String lines() {
    return IntStream.range(0, SENSORS)
        .mapToObj(
            n ->
                """
                {"topic":"plain/%1$d","data":{"n":%1$d},"id":"7","time":5}
                {"topic":"raw/%1$d","data":{"n":%1$d},"id":"7"}
                {"topic":"bad/%1$d","data":{"n":%1$d,"bad":true},"id":"7","time":5}
                """
                    .formatted(n))
        .collect(Collectors.joining());
  }

  private static JsonObject publish(GalopProcess node) throws Exception {
    var answer = Stored.post(node.http("/publish"), "application/x-ndjson", lines());
    assertEquals(202, answer.statusCode(), answer.body());
    return new JsonObject(answer.body());
  }

  /** How many there are on the plain topics, on the one that all write to, and as dead letters. */
  private static Map<String, Long> counted(List<Seen> records) {
    assertEquals(records.size(), new HashSet<>(records).size(), "one is there twice");
    return records.stream()
        .map(seen -> seen.topic().replaceAll("^\\$", "").replaceAll("[/].*", ""))
        .collect(Collectors.groupingBy(topic -> topic, Collectors.counting()));
  }

  private static final Map<String, Long> ALL =
      Map.of("plain", (long) SENSORS, "fleet", (long) SENSORS, "dead-letter", (long) SENSORS);

  @Test
  void anIdBelongsToItsTopicEverywhere() throws Exception {
    Files.writeString(directory.resolve("s.js"), SCRIPT);
    String chain = "enrich.chain=[{script: {topics: [raw/+, bad/+], file: s.js}}]";
    try (StoreFleet stores = StoreFleet.start()) {
      List<String> args =
          new ArrayList<>(stores.config(directory, stores.addresses(), 1, "{batchRecords: 20}"));
      args.addAll(List.of("--set", chain, "--set", "enrich.directory=" + directory));
      Path data = directory.resolve("data");
      try (GalopProcess node = GalopProcess.run(data, List.of(), args);
          Viewer viewer = Viewer.on(node.http("/live"), "websocket", "#")) {
        assertEquals(RECORDS, publish(node).getInteger("accepted"));
        Await.until("all is shown", 120, () -> viewer.all("rec").size() >= 2 * SENSORS);
        assertEquals(RECORDS, publish(node).getInteger("accepted"), "sent again");
        Lag.awaitNone(node, StoreFleet.NAMES, 30);
        assertEquals(2 * SENSORS, viewer.all("rec").size());
        for (String order : List.of("asc", "desc")) {
          String limit = "?limit=1000&order=" + order;
          List<Seen> all = new ArrayList<>(Stored.history(node.http("/history/%23" + limit)));
          all.addAll(Stored.history(node.http("/history/$dead-letter/%23" + limit)));
          assertEquals(ALL, counted(all), order);
          String some = "/history/%23?limit=40&order=" + order;
          assertEquals(40, Set.copyOf(Stored.history(node.http(some))).size(), order);
        }
        for (Map.Entry<String, List<Seen>> store : stores.all(data).entrySet()) {
          assertEquals(ALL, counted(store.getValue()), store.getKey());
        }
        String url = "http://" + node.address("http");
        String redriven = Cli.ok("dead-letter", "redrive", "--url", url);
        assertTrue(redriven.contains("acknowledged %1$d of %1$d".formatted(SENSORS)), redriven);
      }
    }
  }
}
