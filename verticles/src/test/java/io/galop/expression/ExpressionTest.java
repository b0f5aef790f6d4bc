package io.galop.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class ExpressionTest {
  private static final Record RECORD =
      record(
          "{\"speed\":10,\"temp\":21.5,\"name\":\"a\",\"none\":null,\"big\":123456789012345678901,\"list\":[1,2,3]}");

  private static Record record(String data) {
    return new Record("i1", "sensor/7/speed", 5, data.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data.speed == 10",
        "data.speed > 9.5",
        "double(data.speed) * 3.6 == 36.0",
        "topic.startsWith('sensor/') && id == 'i1' && time == 5",
        "data.none == null && !has(data.other)",
        "data.?other.orValue(1) == 1",
        "data.list.exists(one, one == 2)",
        "data.list.map(one, one * 2) == [2, 4, 6]",
        "size(data.list) == 3 && 'speed' in data",
        "type(data) == map && type(data.list) == list && type(data.temp) == double",
        "data.name.matches('^[a-c]$')",
        "math.round(data.temp) == 22.0",
        "data == data"
      })
  void expressionsSeeARecordAsItIs(String expression) throws Exception {
    assertTrue(RecordFilter.of(expression).matches(RECORD));
    assertFalse(RecordFilter.of("!(" + expression + ")").matches(RECORD));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "data.speed > | column 13",
        "dat.speed > 1 | column 1: undeclared reference to 'dat'",
        "time.startsWith('a') | column 16: found no matching overload for 'startsWith'",
        "data.name.replace('a', 'b') == 'b' | undeclared reference to 'replace'"
      })
  void aWrongExpressionIsRefusedWithItsColumn(String expression, String message) {
    ExpressionFailure failure =
        assertThrows(ExpressionFailure.class, () -> RecordFilter.of(expression));
    assertTrue(failure.detail().contains(message), failure.detail());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "data.other > 1 | other",
        "data.name > 1 | column 11: No matching overload",
        "data.name | neither true nor false"
      })
  void aFailedEvaluationSaysWhat(String expression, String message) throws Exception {
    RecordFilter filter = RecordFilter.of(expression);
    ExpressionFailure failure = assertThrows(ExpressionFailure.class, () -> filter.matches(RECORD));
    assertTrue(failure.detail().contains(message), failure.detail());
  }

  @Test
  void loopsAreBounded() throws Exception {
    String list = "[" + "1,".repeat(150) + "1]";
    RecordFilter nested = RecordFilter.of("data.l.all(a, data.l.all(b, a == b))");
    ExpressionFailure failure =
        assertThrows(ExpressionFailure.class, () -> nested.matches(record("{\"l\":" + list + "}")));
    assertTrue(failure.detail().contains("10000"), failure.detail());
  }

  @Test
  void anInterruptedThreadEndsAnEvaluation() throws Exception {
    Expression expression = Expressions.ofRecords().compile("time == 5");
    Thread.currentThread().interrupt();
    try {
      assertThrows(ExpressionFailure.class, () -> expression.value(name -> Optional.of(5L)));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  /** A shared list doubles its weight at each step and not its memory. */
  @Test
  void aValueThatHoldsAnotherTwiceIsBoundedWithoutBeingLookedThrough() throws Exception {
    Expression twice = Expressions.ofRecords().with("a").compile("[a, a]");
    Object value = "text";
    int steps = 0;
    ExpressionFailure refused = null;
    while (refused == null) {
      Object before = value;
      try {
        value = CelValues.frozen(twice.value(name -> Optional.of(before)), 1_000_000);
        steps++;
      } catch (ExpressionFailure e) {
        refused = e;
      }
    }
    assertEquals(17, steps);
    assertTrue(refused.detail().contains("too large"), refused.detail());
  }

  @Test
  void whatJsonCannotHoldIsNoValue() throws Exception {
    for (String odd : new String[] {"duration('1s')", "b'a'", "[timestamp(0)]", "type(1)"}) {
      Expression expression = Expressions.ofRecords().compile(odd);
      assertThrows(
          ExpressionFailure.class,
          () -> CelValues.frozen(expression.value(name -> Optional.empty()), 100),
          odd);
    }
  }

  @Test
  void aViewShowsWhatChangesAndACopyDoesNot() throws Exception {
    Map<String, Object> row = new HashMap<>(Map.of("n", 1));
    Object view = CelValues.view(row);
    Expression expression = Expressions.ofRecords().with("row").compile("row");
    Object copy = CelValues.frozen(expression.value(name -> Optional.of(view)), 100);
    row.put("n", 2);
    assertEquals(2L, ((Map<?, ?>) view).get("n"));
    assertEquals(1L, ((Map<?, ?>) copy).get("n"));
  }
}
