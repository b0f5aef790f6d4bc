package io.galop.alarm;

import io.galop.alarm.AlarmState.Word;

/**
 * What an alarm becomes: a pure function of what it is and of what happens. The words are those of
 * ISA-18.2.
 *
 * <pre>
 * normal ── raised ──▶ unacknowledged ── acknowledged by somebody ──▶ acknowledged
 *   ▲                        │ ▲                                           │
 *   │                   over │ │ raised                                    │ over
 *   │                        ▼ │                                           ▼
 *   └── acknowledged ──── returned                                      normal
 * </pre>
 *
 * <p>Each but a normal one may be shelved until a moment, and is suppressed while its parent is
 * active. Meanwhile the condition is followed; what is over then has not to be acknowledged.
 */
final class Transitions {
  private Transitions() {}

  /**
   * What follows.
   *
   * @param state the new state; the old one if nothing changed
   * @param isRecorded whether the change is a record
   * @param refusal why an order was not followed; empty if it was, and of what is no order
   */
  record Next(AlarmState state, boolean isRecorded, String refusal) {}

  /** Decides. */
  static Next next(AlarmState state, AlarmEvent event) {
    if (event instanceof AlarmEvent.Raised raised) {
      return state.isActive() ? same(state) : changed(state.raised(raised));
    } else if (event instanceof AlarmEvent.Returned over) {
      boolean unheard = state.untilMs() > 0 || state.isSuppressed();
      return state.isActive()
          ? changed(state.returned(over.value(), state.isAcknowledged() || unheard, over.atMs()))
          : same(state);
    } else if (event instanceof AlarmEvent.Acknowledge order) {
      return acknowledge(state, order);
    } else if (event instanceof AlarmEvent.Shelve order) {
      return shelve(state, order);
    } else if (event instanceof AlarmEvent.Unshelve order) {
      return state.untilMs() == 0
          ? refused(state, "it is not shelved")
          : changed(state.shelved(0, order.by(), "", order.atMs()));
    } else if (event instanceof AlarmEvent.Looked looked) {
      return state.untilMs() > 0 && state.untilMs() <= looked.atMs()
          ? changed(state.shelved(0, "", "", looked.atMs()))
          : same(state);
    } else if (event instanceof AlarmEvent.Parent parent) {
      return parent.isActive() == state.isSuppressed()
          ? same(state)
          : new Next(state.suppressed(parent.isActive(), parent.atMs()), state.isActive(), "");
    }
    return told(state, (AlarmEvent.Told) event);
  }

  private static Next acknowledge(AlarmState state, AlarmEvent.Acknowledge order) {
    Word word = state.word();
    return word == Word.UNACKNOWLEDGED || word == Word.RETURNED
        ? changed(state.acknowledged(order.by(), order.atMs()))
        : refused(state, "it is " + word.word());
  }

  private static Next shelve(AlarmState state, AlarmEvent.Shelve order) {
    if (!state.stands()) {
      return refused(state, "it is normal");
    }
    return order.untilMs() <= order.atMs()
        ? refused(state, "the shelving would be over already")
        : changed(state.shelved(order.untilMs(), order.by(), order.reason(), order.atMs()));
  }

  private static Next told(AlarmState state, AlarmEvent.Told told) {
    return !state.stands() || state.told().contains(told.target())
        ? same(state)
        : changed(state.told(told.target(), told.atMs()));
  }

  private static Next changed(AlarmState state) {
    return new Next(state, true, "");
  }

  private static Next same(AlarmState state) {
    return new Next(state, false, "");
  }

  private static Next refused(AlarmState state, String why) {
    return new Next(state, false, why);
  }
}
