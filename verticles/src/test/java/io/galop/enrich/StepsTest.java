package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.config.ConfigLoader;
import io.galop.enrich.step.EnrichMeters;
import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps that need nothing but their configuration. */
class StepsTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  private List<String> through(String chain, Record... records) throws Exception {
    Vertx none = null;
    Chain steps =
        new Bricks(
                none,
                ConfigLoader.parse("enrich: {chain: [" + chain + "]}", "test.yaml"),
                new EnrichMeters(meters),
                script -> null)
            .chain();
    List<String> shown = new ArrayList<>();
    for (Record record : records) {
      await(steps.enrich(List.of(record), new StepTally()))
          .forEach(r -> shown.add(EnrichFixture.show(r)));
    }
    return shown;
  }

  @Test
  void noChainAndNoopChangeNothing() throws Exception {
    Record record = record("a", "t", "{ \"v\" : 1.0 }");
    assertEquals(List.of("a t { \"v\" : 1.0 }"), through("", record));
    assertEquals(List.of("a t { \"v\" : 1.0 }"), through("noop, noop", record));
  }

  @Test
  void dropTakesTheTopicsThatItIsFor() throws Exception {
    assertEquals(
        List.of("b u {}", "c $sys/t {}"),
        through(
            "{drop: {topics: [t/#, x/+]}}",
            record("a", "t/1", "{}"),
            record("b", "u", "{}"),
            record("c", "$sys/t", "{}"),
            record("d", "x/1", "{}")));
    assertEquals(2, meters.get("galop.enrich.dropped").counter().count());
  }

  @Test
  void dropLooksAtTheValueOfAField() throws Exception {
    assertEquals(
        List.of("b t {\"q\":\"good\"}", "c t {}", "d t {\"q\":[\"bad\"]}"),
        through(
            "{drop: {field: q, equals: bad}}",
            record("a", "t", "{\"q\":\"bad\"}"),
            record("b", "t", "{\"q\":\"good\"}"),
            record("c", "t", "{}"),
            record("d", "t", "{\"q\":[\"bad\"]}")));
  }

  @Test
  void sampleLetsOneInSoManyOfEachTopicPass() throws Exception {
    Record[] records = new Record[14];
    for (int i = 0; i < records.length; i++) {
      records[i] = record("r" + i, "t" + i % 2, "{}");
    }
    assertEquals(
        List.of("r0 t0 {}", "r1 t1 {}", "r6 t0 {}", "r7 t1 {}", "r12 t0 {}", "r13 t1 {}"),
        through("{sample: {every: 3}}", records));
  }

  @Test
  void theTopicThatWasSilentForTheLongestIsForgotten() throws Exception {
    assertEquals(
        List.of("a t1 {}", "b t2 {}", "d t3 {}", "e t2 {}"),
        through(
            "{sample: {every: 9, maxTopics: 2}}",
            record("a", "t1", "{}"),
            record("b", "t2", "{}"),
            record("c", "t1", "{}"),
            record("d", "t3", "{}"),
            record("e", "t2", "{}")));
    assertEquals(2, meters.get("galop.enrich.topics.forgotten").counter().count());
  }

  @Test
  void calculatePassesWhatHoldsNoNumber() throws Exception {
    assertEquals(
        List.of(
            "a t {\"v\":\"5\"}",
            "b t {}",
            "c t {\"v\":1e999}",
            "d t {\"v\":1.10,\"window\":{\"count\":1,\"min\":1.1,\"max\":1.1,\"mean\":1.1}}"),
        through(
            "{calculate: {field: v}}",
            record("a", "t", "{\"v\":\"5\"}"),
            record("b", "t", "{}"),
            record("c", "t", "{\"v\":1e999}"),
            record("d", "t", "{\"v\":1.10}")));
  }

  @Test
  void stepsFollowOneAnother() throws Exception {
    assertEquals(
        List.of(
            "a t {\"v\":1,\"w\":{\"count\":1,\"min\":1,\"max\":1,\"mean\":1}}",
            "c t {\"v\":3,\"w\":{\"count\":2,\"min\":1,\"max\":3,\"mean\":2,\"change\":2,"
                + "\"changeTime\":1000000}}"),
        through(
            "{drop: {field: v, equals: '2'}}, {calculate: {field: v, into: w}}",
            record("a", "t", "{\"v\":1}"),
            record("b", "t", "{\"v\":2}"),
            record("c", "t", "{\"v\":3}")));
  }
}
