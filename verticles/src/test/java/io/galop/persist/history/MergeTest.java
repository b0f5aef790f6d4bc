package io.galop.persist.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeTest {
  private static final Order OLDEST_FIRST = new Order(false);

  private static Part part(Optional<ColdKey> upTo, long... times) {
    return new Part(Arrays.stream(times).mapToObj(MergeTest::placed).toList(), upTo);
  }

  private static Placed placed(long timeUs) {
    return new Placed(
        Position.none(0), new Record("id" + timeUs, "t", timeUs, new byte[] {'{', '}'}));
  }

  private static Optional<ColdKey> key(long timeUs) {
    return Optional.of(new ColdKey(timeUs, "id" + timeUs, "t"));
  }

  private static List<Long> times(Part part) {
    return part.records().stream().map(placed -> placed.record().timeUs()).toList();
  }

  @Test
  void eachRecordOnceInOrder() {
    Part merged =
        new PartMerge(OLDEST_FIRST, 10, 1 << 20)
            .of(part(Optional.empty(), 1, 3, 5), part(Optional.empty(), 2, 3, 6));
    assertEquals(List.of(1L, 2L, 3L, 5L, 6L), times(merged));
    assertEquals(Optional.empty(), merged.upTo());
  }

  @Test
  void newestFirst() {
    Part merged =
        new PartMerge(new Order(true), 10, 1 << 20)
            .of(part(Optional.empty(), 5, 1), part(key(3), 4, 3));
    assertEquals(List.of(5L, 4L, 3L), times(merged));
    assertEquals(key(3), merged.upTo());
  }

  @Test
  void nothingBeyondWhereASourceMayHaveMore() {
    Part merged =
        new PartMerge(OLDEST_FIRST, 10, 1 << 20)
            .of(part(Optional.empty(), 1, 9), part(key(4), 2, 4));
    assertEquals(List.of(1L, 2L, 4L), times(merged));
    assertEquals(key(4), merged.upTo());
  }

  @Test
  void theLimitEndsAPartAtItsLastRecord() {
    Part merged =
        new PartMerge(OLDEST_FIRST, 2, 1 << 20)
            .of(part(Optional.empty(), 1, 3), part(Optional.empty(), 2));
    assertEquals(List.of(1L, 2L), times(merged));
    assertEquals(key(2), merged.upTo());
  }

  @Test
  void theBytesEndAPartToo() {
    Part merged =
        new PartMerge(OLDEST_FIRST, 10, 1)
            .of(part(Optional.empty(), 1, 3), part(Optional.empty(), 2));
    assertEquals(List.of(1L), times(merged));
    assertEquals(key(1), merged.upTo());
  }
}
