package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;

/**
 * To how many registrations of one event loop a record of the ring has come, of those that mean its
 * topic now. Each is counted once.
 *
 * @param sent its connection has read past it, and nothing that it was sent waits in the process
 * @param leaving the same, but some of what it was sent waits for the socket, perhaps this record
 * @param waiting it waits in the ring, or behind a snapshot
 * @param newestOnly it is for those that want the newest value only, and were sent it or a newer
 *     one
 * @param later they came later, or a snapshot has made up for it
 */
public record Reach(int sent, int leaving, int waiting, int newestOnly, int unknown) {
  /** Of none. */
  public static final Reach NONE = new Reach(0, 0, 0, 0, 0);

  private enum Step {
    SENT,
    LEAVING,
    WAITING,
    NEWEST_ONLY,
    UNKNOWN
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
    return new Reach(
        steps[Step.SENT.ordinal()],
        steps[Step.LEAVING.ordinal()],
        steps[Step.WAITING.ordinal()],
        steps[Step.NEWEST_ONLY.ordinal()],
        steps[Step.UNKNOWN.ordinal()]);
  }

  private static Step step(Registration registration, Entry record, long tail) {
    RecordReceiver receiver = registration.receiver();
    if (registration.isConflating()) {
      return Step.NEWEST_ONLY;
    } else if (!registration.wants(record) || record.sequence() < registration.unbrokenFrom()) {
      return Step.UNKNOWN;
    } else if (record.sequence() >= tail - receiver.behind()) {
      return Step.WAITING;
    }
    return receiver.deliveries().records() > 0 ? Step.LEAVING : Step.SENT;
  }

  /** Of two event loops or nodes together. */
  public Reach plus(Reach other) {
    return new Reach(
        sent + other.sent,
        leaving + other.leaving,
        waiting + other.waiting,
        newestOnly + other.newestOnly,
        unknown + other.unknown);
  }
}
