package io.galop.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a higher source keeps of a lower one. */
class MergeTest {
  sealed interface Store permits Memory, Disk {}

  @Brick("memory")
  record Memory(@Default("1") int records) implements Store {}

  @Brick("disk")
  record Disk(@Default("") String file, @Default("2") int readers) implements Store {}

  record Limits(@Default("1") int low, @Default("9") int high) {}

  record Whole(
      @Default("memory") Store store,
      Limits limits,
      Optional<Limits> extra,
      Map<String, Limits> byName,
      List<Limits> listed) {}

  private static Whole merge(String under, String over) {
    Problems problems = new Problems();
    List<Value> layers =
        List.of(Yaml.readFile(under, "a", problems), Yaml.readFile(over, "b", problems));
    Whole whole =
        new Binder(problems).bind(Whole.class, Merge.layers(Slot.root(Whole.class), layers));
    problems.refuse();
    return whole;
  }

  @Test
  void anotherBrickReplacesTheWholeBrick() {
    assertEquals(new Memory(1), merge("store: {disk: {readers: 3}}", "store: memory").store());
    assertEquals(
        new Memory(5),
        merge("store: {disk: {readers: 3}}", "store: {memory: {records: 5}}").store());
  }

  @Test
  void theSameBrickIsMerged() {
    String under = "store: {disk: {file: x, readers: 3}}";
    assertEquals(new Disk("x", 4), merge(under, "store: {disk: {readers: 4}}").store());
  }

  @Test
  void sectionsAreMergedOptionalOnesToo() {
    Whole whole =
        merge("{limits: {low: 2}, extra: {low: 3}}", "{limits: {high: 4}, extra: {high: 5}}");
    assertEquals(new Limits(2, 4), whole.limits());
    assertEquals(Optional.of(new Limits(3, 5)), whole.extra());
  }

  @Test
  void anEmptySectionTakesNothingAway() {
    assertEquals(new Limits(2, 9), merge("limits: {low: 2}", "limits:").limits());
  }

  @Test
  void mapsAreMergedByName() {
    Whole whole = merge("byName: {a: {low: 2}, b: {}}", "byName: {a: {high: 3}, c: {}}");
    Limits usual = new Limits(1, 9);
    assertEquals(Map.of("a", new Limits(2, 3), "b", usual, "c", usual), whole.byName());
  }

  @Test
  void listsAreReplaced() {
    Whole whole = merge("listed: [{low: 2}, {}]", "listed: [{low: 3}]");
    assertEquals(List.of(new Limits(3, 9)), whole.listed());
  }
}
