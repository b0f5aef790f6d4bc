package io.galop.enrich.script.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.enrich.step.StepTally;
import io.galop.record.Record;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A list of records of which each has its output once, whoever sees to it. */
class ListRunTest {
  private static final Record A = record("a");
  private static final Record B = record("b");
  private static final Record DEAD = record("dead");

  private final List<List<Record>> done = new ArrayList<>();
  private final ListRun run = new ListRun(List.of(A, B), new StepTally(), done::add);

  private static Record record(String id) {
    return new Record(id, "t", 1, new byte[0]);
  }

  @Test
  void whatTheOneBeforeReturnsLateIsNotTaken() {
    run.take("old");
    assertTrue(run.takeOver("old", "new"));
    assertFalse(run.put("old", List.of(record("late"))));
    assertNull(run.current("old"));
    assertEquals(A, run.current("new"), "the record that hung is the next one's");
    assertTrue(run.put("new", List.of(DEAD)));
    assertEquals(B, run.current("new"));
    assertTrue(run.put("new", List.of(B)));
    assertEquals(List.of(List.of(DEAD, B)), done);
  }

  @Test
  void aListThatIsDoneOrAnothersIsNotTakenOver() {
    run.take("old");
    assertFalse(run.takeOver("another", "new"));
    run.put("old", List.of(A));
    run.put("old", List.of(B));
    assertFalse(run.takeOver("old", "new"), "the last call has ended meanwhile");
    assertFalse(run.put("new", List.of(DEAD)));
    assertEquals(List.of(List.of(A, B)), done, "once");
  }
}
