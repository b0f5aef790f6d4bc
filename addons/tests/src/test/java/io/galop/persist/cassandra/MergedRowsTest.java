package io.galop.persist.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergedRowsTest {
  private static final int TOPICS = 7;
  private static final int ROWS = 9;

  /** Fewer than a page, and more than stand at one time in a topic. */
  private static final int CUT = 5;

  /** Few times and ids, so that many are equal. */
  private static List<List<Placed>> topics(Random random) {
    List<List<Placed>> topics = new ArrayList<>();
    for (int topic = 0; topic < TOPICS; topic++) {
      List<Placed> rows = new ArrayList<>();
      for (int n = random.nextInt(60); n > 0; n--) {
        byte[] data = new byte[random.nextInt(40)];
        Record record = new Record("i" + n % 3, "t" + topic, random.nextInt(12), data);
        if (rows.stream().noneMatch(row -> key(row).equals(ColdKey.of(record)))) {
          rows.add(new Placed(new Position(0, 1, n), record));
        }
      }
      topics.add(rows);
    }
    return topics;
  }

  private static ColdKey key(Placed placed) {
    return ColdKey.of(placed.record());
  }

  /** As the server answers: from the time of the page before, so many rows. */
  private static void ask(List<Placed> topic, Comparator<ColdKey> order, MergedRows merged) {
    List<Placed> rows =
        topic.stream()
            .filter(row -> row.record().timeUs() >= merged.fromUs())
            .filter(row -> row.record().timeUs() <= merged.toUs())
            .sorted(Comparator.comparing(MergedRowsTest::key, order))
            .toList();
    merged.add(rows.subList(0, Math.min(CUT, rows.size())), rows.size() < CUT);
  }

  @RepeatedTest(200)
  void pagesOfTopicsThatAreCutShowEachRowOnceInOrder(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    boolean newestFirst = random.nextBoolean();
    Comparator<ColdKey> order = newestFirst ? Comparator.reverseOrder() : Comparator.naturalOrder();
    List<List<Placed>> topics = topics(random);
    List<ColdKey> expected =
        topics.stream()
            .flatMap(List::stream)
            .map(MergedRowsTest::key)
            .filter(key -> key.timeUs() >= 1 && key.timeUs() <= 10)
            .sorted(order)
            .toList();
    List<ColdKey> seen = new ArrayList<>();
    Optional<ColdKey> next = Optional.empty();
    do {
      ColdQuery query =
          new ColdQuery(TopicFilter.parse("#", 10), 1, 10, ROWS, 150, newestFirst, next);
      MergedRows merged = new MergedRows(query, ROWS);
      topics.forEach(topic -> ask(topic, order, merged));
      ColdPage page = merged.page();
      assertTrue(page.records().size() <= ROWS);
      assertTrue(page.next().isEmpty() || !page.next().equals(next), "a page goes on");
      page.records().forEach(row -> seen.add(key(row)));
      next = page.next();
    } while (next.isPresent());
    assertEquals(expected, seen);
  }

  @ParameterizedTest
  @CsvSource({"#,''", "+,''", "+/a,''", "a/#,a", "a/+,a/", "a/+/b/#,a/", "a/b/#,a/b"})
  void aFilterHasThePrefixOfAllItsTopics(String filter, String prefix) {
    assertEquals(prefix, CassandraReads.prefix(filter));
  }

  @ParameterizedTest
  @CsvSource({
    "0,24,1970-01-01T00:00:00Z",
    "-1,24,1969-12-31T00:00:00Z",
    "86399999999,24,1970-01-01T00:00:00Z",
    "86400000000,24,1970-01-02T00:00:00Z",
    "7200000000,1,1970-01-01T02:00:00Z",
    "9223372036854775807,1,+294247-01-10T04:00:00Z"
  })
  void anEventTimeHasOneBucket(long timeUs, int hours, String begins) {
    assertEquals(begins, new TimeBuckets(hours).of(timeUs).toString());
  }
}
