package io.galop.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.galop.config.alarm.AlarmRuleConfig.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of an alarm's states. */
class TransitionsTest {
  private static final AlarmState NORMAL = AlarmState.normal("hot", "s/1", Severity.HIGH);

  private static AlarmEvent event(String word) {
    return switch (word) {
      case "raised" -> new AlarmEvent.Raised("1.2-3", "hot", "81", 1_000);
      case "over" -> new AlarmEvent.Returned("70", 2_000);
      case "ack" -> new AlarmEvent.Acknowledge("anna", 3_000);
      case "shelve" -> new AlarmEvent.Shelve("anna", 9_000, "repair", 4_000);
      case "unshelve" -> new AlarmEvent.Unshelve("anna", 5_000);
      case "early" -> new AlarmEvent.Looked(8_999);
      case "late" -> new AlarmEvent.Looked(9_000);
      case "parent" -> new AlarmEvent.Parent(true, 6_000);
      case "orphan" -> new AlarmEvent.Parent(false, 7_000);
      default -> new AlarmEvent.Told(word, 8_000);
    };
  }

  private static AlarmState after(String events) {
    AlarmState state = NORMAL;
    for (String word : events.split(" ")) {
      state = Transitions.next(state, event(word)).state();
    }
    return state;
  }

  @ParameterizedTest
  @CsvSource({
    "raised,unacknowledged",
    "raised over,returned",
    "raised over raised,unacknowledged",
    "raised ack,acknowledged",
    "raised ack over,normal",
    "raised over ack,normal",
    "raised ack over raised,unacknowledged",
    "raised shelve,shelved",
    "raised shelve early,shelved",
    "raised shelve late,unacknowledged",
    "raised shelve unshelve,unacknowledged",
    "raised ack shelve unshelve,acknowledged",
    "raised shelve over,shelved",
    "raised shelve over late,normal",
    "raised shelve ack,shelved",
    "raised parent,suppressed",
    "parent raised,suppressed",
    "parent raised orphan,unacknowledged",
    "raised parent over,normal",
    "parent,normal",
    "raised ack parent orphan,acknowledged",
  })
  void becomes(String events, String word) {
    assertEquals(word, after(events).word().word());
  }

  @ParameterizedTest
  @CsvSource({
    "over,ack,it is normal",
    "raised ack,ack,it is acknowledged",
    "raised shelve,ack,it is shelved",
    "raised parent,ack,it is suppressed",
    "over,shelve,it is normal",
    "raised,unshelve,it is not shelved",
  })
  void refuses(String events, String order, String why) {
    AlarmState before = after(events);
    Transitions.Next next = Transitions.next(before, event(order));
    assertEquals(why, next.refusal());
    assertSame(before, next.state());
  }

  @ParameterizedTest
  @CsvSource({"raised,raised", "over,over", "raised,early", "raised ops,ops", "over,ops"})
  void whatChangesNothingIsNoRecord(String events, String again) {
    AlarmState before = after(events);
    Transitions.Next next = Transitions.next(before, event(again));
    assertSame(before, next.state());
    assertEquals(false, next.isRecorded());
  }

  @Test
  void eachChangeHasAnIdOfItsOwnAndIsReadBack() {
    AlarmState state = after("raised shelve");
    assertEquals("1.2-3.2", AlarmRecord.of(state).id());
    assertEquals(state, AlarmRecord.read(AlarmRecord.of(state)).orElseThrow());
    assertEquals("$alarm/hot/s/1", AlarmRecord.of(state).topic());
  }

  @Test
  void whoWasToldIsToldAgainOfTheNextOccurrence() {
    assertEquals(java.util.Set.of("ops"), after("raised ops").told());
    assertEquals(java.util.Set.of(), after("raised ops over raised").told());
  }
}
