package io.galop.broadcast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.ring.Entry;
import io.galop.config.broadcast.FreshnessConfig;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When topics are called silent, by a clock that the test moves. */
class FreshnessTest {
  private static final long START = TimeUnit.DAYS.toNanos(3);
  private static final List<FreshnessConfig> RULES =
      List.of(
          new FreshnessConfig("race/#", 5000),
          new FreshnessConfig("race/+/odds", 1000),
          new FreshnessConfig("slow/#", 3_600_000));

  private long offset;

  private static long at(long ms) {
    return START + TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private Entry record(String topic, long heardMs) {
    Entry entry = loaded(topic, 0);
    entry.heardAt(at(heardMs));
    return entry;
  }

  private Entry loaded(String topic, long ageMs) {
    long timeUs = (System.currentTimeMillis() - ageMs) * 1000;
    byte[] data = "{}".getBytes(StandardCharsets.UTF_8);
    return Entry.of(new Position(0, 1, ++offset), new Record("id" + offset, topic, timeUs, data));
  }

  private static List<String> topics(List<Entry> words) {
    return words.stream()
        .filter(word -> !word.isRecord())
        .map(word -> (word.isStaleWord() ? "-" : "+") + word.topic())
        .sorted()
        .toList();
  }

  @Test
  void theShortestTimeOfThoseThatMeanATopicCounts() {
    Freshness freshness = new Freshness(RULES, 100, START);
    freshness.heard(List.of(record("race/1/odds", 0), record("race/1/x", 0)), at(0));
    freshness.heard(List.of(record("other", 0)), at(0));
    assertEquals(List.of(), topics(freshness.tick(at(900))));
    assertEquals(List.of("-race/1/odds"), topics(freshness.tick(at(1200))));
    assertEquals(List.of(), topics(freshness.tick(at(4900))));
    assertEquals(List.of("-race/1/x"), topics(freshness.tick(at(5200))));
    assertEquals(List.of(), topics(freshness.tick(at(1_000_000))));
    assertEquals(2, freshness.words().size());
  }

  @Test
  void aTopicIsBackBehindTheRecordThatBringsItBack() {
    Freshness freshness = new Freshness(RULES, 100, START);
    freshness.heard(List.of(record("race/1/odds", 0)), at(0));
    assertEquals(1, freshness.tick(at(1200)).size());
    List<Entry> all =
        freshness.heard(List.of(record("race/1/odds", 1500), record("race/9", 1500)), at(1500));
    assertEquals(3, all.size());
    assertTrue(all.get(0).isRecord());
    assertEquals(List.of("+race/1/odds"), topics(all.subList(1, 2)));
    assertEquals(List.of(), topics(freshness.tick(at(2400))));
    assertEquals(List.of("-race/1/odds"), topics(freshness.tick(at(2700))));
  }

  @Test
  void whatWasLoadedIsAsOldAsItsEventTimeAndDoesNotEndASilence() {
    Freshness freshness = new Freshness(RULES, 100, START);
    freshness.loaded(List.of(loaded("race/1/odds", 60_000), loaded("race/2/odds", -60_000)), at(0));
    assertEquals(List.of("-race/1/odds"), topics(freshness.tick(at(200))));
    assertEquals(List.of("-race/2/odds"), topics(freshness.tick(at(1200))));
    assertEquals(
        List.of(), topics(freshness.loaded(List.of(loaded("race/1/odds", 9000)), at(1300))));
    assertEquals(
        List.of("+race/1/odds"),
        topics(freshness.loaded(List.of(loaded("race/1/odds", 0)), at(1400))));
  }

  /** Races end; what has just fallen silent must not be hidden by them, nor counted with them. */
  @Test
  void whatFellSilentLastIsNamedFirstAndWhatIsSilentForLongIsOnlyCounted() {
    Freshness freshness = new Freshness(RULES, 100, START);
    for (int n = 1; n < 8; n++) {
      freshness.heard(List.of(record("race/" + n + "/odds", n * 1000)), at(n * 1000));
      freshness.tick(at(n * 1000));
    }
    freshness.tick(at(60_000));
    JsonObject silent = freshness.silent(2, at(60_000));
    String last = "{\"topic\":\"race/7/odds\",\"silentMs\":53000}";
    String before = "{\"topic\":\"race/6/odds\",\"silentMs\":54000}";
    String words = "{\"count\":7,\"topics\":[%s,%s],\"forLong\":0}".formatted(last, before);
    assertEquals(words, silent.encode());
    freshness.heard(List.of(record("race/7/odds", 61_000)), at(61_000));
    assertEquals(6, freshness.silent(2, at(61_000)).getInteger("count"), "it is back");
    long hourMs = TimeUnit.HOURS.toMillis(1);
    freshness.tick(at(hourMs + 3_500));
    JsonObject later = freshness.silent(9, at(hourMs + 3_500));
    assertEquals("4 3", later.getInteger("count") + " " + later.getInteger("forLong"));
    freshness.tick(at(hourMs + 62_500));
    assertEquals(0, freshness.silent(9, at(hourMs + 62_500)).getInteger("count"));
    assertEquals(7, freshness.staleTopics());
  }

  @Test
  void whatMayBeSilentForLongIsForLongLater() {
    Freshness freshness = new Freshness(RULES, 100, START);
    freshness.heard(List.of(record("slow/1", 0)), at(0));
    long hourMs = TimeUnit.HOURS.toMillis(1);
    for (int hour = 2; hour < 20; hour++) {
      freshness.tick(at(hour * hourMs));
      assertEquals(1, freshness.silent(9, at(hour * hourMs)).getInteger("count"), "hour " + hour);
    }
    freshness.tick(at(20 * hourMs));
    assertEquals(0, freshness.silent(9, at(20 * hourMs)).getInteger("count"));
  }

  @Test
  void topicsOfDrillsAreSilentOnPurposeAndDoNotCount() {
    List<FreshnessConfig> rules = List.of(new FreshnessConfig("$drill/+/silent", 1000));
    Freshness freshness = new Freshness(rules, 1, START);
    freshness.heard(List.of(record("$drill/a/silent", 0)), at(0));
    assertEquals(List.of("-$drill/a/silent"), topics(freshness.tick(at(1200))));
    assertEquals(0, freshness.staleTopics());
    freshness.heard(List.of(record("$drill/a/silent", 1300)), at(1300));
    assertEquals(0, freshness.staleTopics());
    freshness.tick(at(2500));
    freshness.heard(List.of(record("$drill/b/silent", 2600)), at(2600));
    assertEquals(0, freshness.staleTopics());
  }

  @Test
  void topicsOfDrillsThatNoRuleMeansAnyMoreDoNotHideOthers() {
    List<FreshnessConfig> rules = List.of(new FreshnessConfig("$drill/+/silent", 1000));
    Freshness freshness = new Freshness(rules, 9, START);
    freshness.heard(List.of(record("$drill/a/silent", 0)), at(0));
    freshness.tick(at(1200));
    change(freshness, List.of(), 1300, new FreshnessConfig("race/#", 1000));
    freshness.heard(List.of(record("race/1", 1300)), at(1300));
    freshness.tick(at(2500));
    assertEquals(1, freshness.staleTopics());
  }

  @Test
  void topicsAreBoundedAndTheLongestSilentIsForgottenFirst() {
    Freshness freshness = new Freshness(RULES, 2, START);
    freshness.heard(List.of(record("race/a", 0), record("race/b", 100)), at(100));
    freshness.heard(List.of(record("race/c", 200)), at(200));
    assertEquals(1, freshness.unwatched());
    freshness.tick(at(5500));
    assertEquals(2, freshness.staleTopics());
    freshness.heard(List.of(record("race/d", 5600)), at(5600));
    assertEquals(List.of("race/a"), freshness.forgotten());
    assertEquals(List.of(), freshness.forgotten());
    assertEquals(List.of("-race/d"), topics(freshness.tick(at(10_800))));
  }

  @Test
  void aTopicThatWasForgottenWhileItWasSilentIsSaidToBeBack() {
    Freshness freshness = new Freshness(RULES, 2, START);
    freshness.heard(List.of(record("race/a", 0), record("race/b", 100)), at(100));
    assertEquals(List.of("-race/a", "-race/b"), topics(freshness.tick(at(5500))));
    freshness.heard(List.of(record("race/c", 5600), record("race/d", 5600)), at(5600));
    assertEquals(List.of("race/a", "race/b"), freshness.forgotten());
    assertEquals(List.of(), topics(freshness.loaded(List.of(loaded("race/a", 60_000)), at(5650))));
    List<Entry> back = freshness.heard(List.of(record("race/a", 5700)), at(5700));
    assertTrue(back.get(0).isRecord());
    assertEquals(List.of("+race/a"), topics(back), "also where there is no place to watch it");
    assertEquals(List.of(), topics(freshness.heard(List.of(record("race/new", 5700)), at(5700))));
  }

  @Test
  void manyAtOnceAreToldOverSeveralSteps() {
    Freshness freshness = new Freshness(RULES, 100_000, START);
    List<Entry> records = new ArrayList<>();
    for (int n = 0; n < 5000; n++) {
      records.add(record("race/" + n, 0));
    }
    freshness.heard(records, at(0));
    int told = 0;
    for (int ms = 5100; ms <= 5500; ms += 100) {
      int now = freshness.tick(at(ms)).size();
      assertTrue(now <= Freshness.MAX_WORDS);
      told += now;
    }
    assertEquals(5000, told);
  }

  @Test
  void saysTheSameAsLookingAtEveryTopicWould() {
    Random random = new Random(7);
    Freshness freshness = new Freshness(RULES, 1000, START);
    TreeMap<String, Long> heard = new TreeMap<>();
    TreeMap<String, Boolean> isStale = new TreeMap<>();
    for (long ms = 0; ms < 300_000; ms += 1 + random.nextInt(400)) {
      String topic = "race/" + random.nextInt(30) + (random.nextBoolean() ? "/odds" : "/x");
      if (random.nextInt(3) == 0) {
        heard.put(topic, ms);
        apply(freshness.heard(List.of(record(topic, ms)), at(ms)), isStale);
      }
      apply(freshness.tick(at(ms)), isStale);
      for (String each : heard.keySet()) {
        long age = ms - heard.get(each);
        long maxAge = each.endsWith("/odds") ? 1000 : 5000;
        if (age > maxAge + 200) {
          assertTrue(isStale.getOrDefault(each, false), each + " at " + ms);
        } else if (age < maxAge) {
          assertEquals(false, isStale.getOrDefault(each, false), each + " at " + ms);
        }
      }
    }
    assertTrue(isStale.size() > 40);
  }

  private static List<String> change(
      Freshness freshness, List<Entry> latest, long ms, FreshnessConfig... rules) {
    List<String> watched = freshness.change(List.of(rules));
    List<Entry> words = new ArrayList<>(freshness.watchAnew(watched, at(ms)));
    words.addAll(freshness.known(latest, at(ms)));
    return topics(words);
  }

  @Test
  void otherRulesHoldForTopicsThatLive() {
    Freshness freshness = new Freshness(RULES, 100, START);
    List<Entry> latest =
        List.of(record("race/1/odds", 0), record("race/1/x", 0), record("other/1", 0));
    freshness.heard(latest, at(0));
    assertEquals(List.of("-race/1/odds"), topics(freshness.tick(at(1200))));
    assertEquals(
        List.of("+race/1/odds"),
        change(
            freshness,
            latest,
            1300,
            new FreshnessConfig("race/+/odds", 4000),
            new FreshnessConfig("other/#", 1000)));
    assertEquals(List.of("-other/1"), topics(freshness.tick(at(1500))));
    assertEquals(List.of("-race/1/odds"), topics(freshness.tick(at(4200))));
    assertEquals(2, freshness.words().size());
    assertEquals(
        List.of("+other/1", "+race/1/odds"),
        change(freshness, latest, 4300, new FreshnessConfig("race/+/x", 2000)));
    assertEquals(List.of("-race/1/x"), topics(freshness.tick(at(4500))));
    assertEquals(List.of("+race/1/x"), change(freshness, latest, 4600));
    assertEquals(List.of(), topics(freshness.tick(at(60_000))));
    assertEquals(0, freshness.staleTopics());
  }

  @Test
  void aChangedTopicIsToldOnceHoweverOftenTheRulesChange() {
    Freshness freshness = new Freshness(RULES, 100, START);
    List<Entry> latest = List.of(record("race/1/x", 0));
    freshness.heard(latest, at(0));
    for (int maxAgeMs = 3000; maxAgeMs > 1900; maxAgeMs -= 10) {
      assertEquals(
          List.of(), change(freshness, latest, 100, new FreshnessConfig("race/#", maxAgeMs)));
    }
    assertEquals(List.of(), topics(freshness.tick(at(1800))));
    assertEquals(List.of("-race/1/x"), topics(freshness.tick(at(2200))));
    assertEquals(List.of(), topics(freshness.tick(at(300_000))));
  }

  @Test
  void whatWasForgottenIsSaidToBeBackAlsoWithoutARule() {
    Freshness freshness = new Freshness(RULES, 1, START);
    freshness.heard(List.of(record("race/a", 0)), at(0));
    assertEquals(List.of("-race/a"), topics(freshness.tick(at(5500))));
    freshness.heard(List.of(record("race/b", 5600)), at(5600));
    assertEquals(List.of("race/a"), freshness.forgotten());
    assertEquals(List.of(), change(freshness, List.of(), 5700));
    List<Entry> back = freshness.heard(List.of(record("race/a", 5800)), at(5800));
    assertEquals(List.of("+race/a"), topics(back));
  }

  private static void apply(List<Entry> words, TreeMap<String, Boolean> isStale) {
    words.stream()
        .filter(word -> !word.isRecord())
        .forEach(word -> isStale.put(word.topic(), word.isStaleWord()));
  }
}
