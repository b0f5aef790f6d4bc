package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.write.Rounds;
import org.jspecify.annotations.Nullable;

/**
 * To how many registrations of one event loop a record of the ring has come, of those that mean its
 * topic now. Each is counted once.
 *
 * @param sent its connection has read past it, and nothing that it was sent waits in the process
 * @param leaving the same, but some of what it was sent waits for the socket, perhaps this record
 * @param waiting it waits in the ring, or behind a snapshot
 * @param newestOnly it is for those that want the newest value only, and were sent it or a newer
 *     one
 * @param unknown they came later, a snapshot has made up for it, or their connection is being ended
 * @param written when it was written to those that it was sent
 */
public record Reach(
    int sent, int leaving, int waiting, int newestOnly, int unknown, Written written) {
  /** Of none. */
  public static final Reach NONE = new Reach(0, 0, 0, 0, 0, Written.NONE);

  private enum Step {
    /** And its socket took it in the round of writing that followed. */
    SENT_IN_TIME,
    SENT,
    LEAVING,
    WAITING,
    NEWEST_ONLY,
    UNKNOWN
  }

  /**
   * When the record was written to sockets: of registrations whose connections kept up. When the
   * others were written it nobody notes.
   *
   * @param registrations of how many that is known
   * @param forgotten so many more kept up, but it is too long ago
   * @param when null if it is known of none
   */
  public record Written(int registrations, int forgotten, Rounds.@Nullable Span when) {
    static final Written NONE = new Written(0, 0, null);

    private static Written of(int inTime, Hub hub, Entry record) {
      if (inTime == 0) {
        return NONE;
      }
      Rounds.Span round = hub.pulse().rounds().of(record.sequence(), System.nanoTime());
      if (round == null) {
        return new Written(0, inTime, null);
      }
      var fed = record.heardNanos();
      return new Written(inTime, 0, fed.isEmpty() ? round : round.notBefore(fed.getAsLong()));
    }

    private Written plus(Written other) {
      Rounds.Span mine = when;
      Rounds.Span others = other.when;
      return new Written(
          registrations + other.registrations,
          forgotten + other.forgotten,
          mine == null || others == null ? (mine == null ? others : mine) : mine.with(others));
    }
  }

  /**
   * Looks at each registration of a Hub once, on its event loop: some 0.1 µs each.
   *
   * @param record of the ring
   */
  public static Reach of(Hub hub, Entry record) {
    int[] steps = new int[Step.values().length];
    for (FilterGroup group : hub.groups(record.topic())) {
      if (group.passes(record)) {
        group.forEach(registration -> steps[step(registration, record, hub.tail()).ordinal()]++);
      }
    }
    int inTime = steps[Step.SENT_IN_TIME.ordinal()];
    return new Reach(
        inTime + steps[Step.SENT.ordinal()],
        steps[Step.LEAVING.ordinal()],
        steps[Step.WAITING.ordinal()],
        steps[Step.NEWEST_ONLY.ordinal()],
        steps[Step.UNKNOWN.ordinal()],
        Written.of(inTime, hub, record));
  }

  private static Step step(Registration registration, Entry record, long tail) {
    RecordReceiver receiver = registration.receiver();
    if (registration.isConflating()) {
      return Step.NEWEST_ONLY;
    } else if (receiver.isEnded()
        || !registration.wants(record)
        || record.sequence() < registration.unbrokenFrom()) {
      return Step.UNKNOWN;
    } else if (record.sequence() >= tail - receiver.behind()) {
      return Step.WAITING;
    } else if (receiver.deliveries().records() > 0) {
      return Step.LEAVING;
    }
    return receiver.deliveries().wasInTime(record.sequence()) ? Step.SENT_IN_TIME : Step.SENT;
  }

  /** Of two event loops together. */
  public Reach plus(Reach other) {
    return new Reach(
        sent + other.sent,
        leaving + other.leaving,
        waiting + other.waiting,
        newestOnly + other.newestOnly,
        unknown + other.unknown,
        written.plus(other.written));
  }
}
