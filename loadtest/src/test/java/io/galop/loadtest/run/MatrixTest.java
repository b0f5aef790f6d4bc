package io.galop.loadtest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.experiments.state.Discipline;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A combination that has not done all ends the run with 1, and is named. */
class MatrixTest {
  private static final MatrixRow ROW =
      new MatrixRow("tcp + redis", List.of(), Map.of(), Discipline.NONE, 0);

  @Test
  void whatIsNotDoneIsNamed() {
    assertEquals(List.of(), Matrix.undone(ROW, 1, true));
    String lost = Matrix.undone(ROW, 0.3, true).get(0);
    assertTrue(lost.startsWith("tcp + redis is not complete: 0.30000 of"), lost);
    assertEquals(1, Matrix.undone(ROW, Double.NaN, true).size());
    String late = Matrix.undone(ROW, 1, false).get(0);
    assertTrue(late.startsWith("tcp + redis is not done: its stores"), late);
    assertEquals(2, Matrix.undone(ROW, 0.3, false).size());
  }
}
