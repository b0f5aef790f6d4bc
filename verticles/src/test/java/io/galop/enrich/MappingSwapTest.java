package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mapping is changed while records go through it, as scripts are. */
@Tag("slow")
@Timeout(300)
class MappingSwapTest {
  @TempDir Path directory;

  /** Numbers the records of each topic, and says which version it is. */
  private static String counting(int version) {
    return """
    rules:
      - {row: counted, in: counts, key: topic}
      - {set: counted, fields: {n: 'counted.?n.orValue(0) + 1'}}
      - emit: {copy: data, data: {n: counted.n, version: '%d'}}
    """
        .formatted(version);
  }

  @Test
  void aChangedMappingTakesOverWithTheState() throws Exception {
    String quick =
        "shadow: {seconds: 1, minRecords: 50, maxCostRatio: 1000, maxAllocationRatio: 1000}";
    try (SwapTraffic traffic = new SwapTraffic(directory, "s.map", counting(1), quick)) {
      traffic.write("s.map", counting(2));
      JsonObject decided = traffic.awaitPromoted();
      assertEquals(decided.getLong("compared"), decided.getLong("differing"));
      int sent = traffic.sent();
      while (traffic.sent() < sent + 1000) {
        Thread.sleep(20);
      }
      List<Record> stored = traffic.end();
      assertEquals(traffic.sent(), stored.size());
      assertEquals(traffic.sent(), stored.stream().map(Record::id).distinct().count());
      SwapTraffic.byTopic(stored)
          .forEach(
              (topic, data) -> {
                for (int i = 0; i < data.size(); i++) {
                  assertEquals(i + 1, data.get(i).getInteger("n"), topic);
                }
                assertEquals(2, data.get(data.size() - 1).getInteger("version"), topic);
              });
    }
  }

  @Test
  void aMappingThatDoesNotCompileIsRefusedWithItsLine() throws Exception {
    try (SwapTraffic traffic = new SwapTraffic(directory, "s.map", counting(1), "maxOutputs: 10")) {
      traffic.write("s.map", counting(2).replace("counted.n,", "count.n,"));
      JsonObject decided = traffic.decision();
      assertEquals("refused", decided.getString("phase"), decided.encode());
      String reason = decided.getString("reason");
      assertTrue(reason.contains("undeclared reference to 'count' (s.map, line 4,"), reason);
    }
  }
}
