package io.galop.broadcast;

/**
 * What one connection is to be sent and what was written to it and has not left yet: bounded in
 * bytes, by those who ask whether there is room before they write.
 */
final class Outbox implements Transport.Receipt {
  /** Clients limit the size of a frame, and what is longer gains nothing from being joined. */
  private static final int MAX_JOINED_BYTES = 32 * 1024;

  private static final int NONE = -1;

  private final Pulse pulse;
  private final BroadcastMeters meters;
  private final Transport transport;
  private final int maxBytes;
  private final Runnable onRoom;

  /**
   * Not the Bundle itself: a reference from an object that is old to one that is new costs the
   * garbage collector some 0.5 µs, and this one would change with every delivery.
   */
  private int bundle = NONE;

  private boolean isDue;
  private int bytes;

  /**
   * @param onRoom is called when something has left and the outbox is at most half full
   */
  Outbox(Hub hub, Transport transport, int maxBytes, Runnable onRoom) {
    this.pulse = hub.pulse();
    this.meters = hub.meters();
    this.transport = transport;
    this.maxBytes = maxBytes;
    this.onRoom = onRoom;
  }

  boolean hasRoom() {
    return bytes < maxBytes;
  }

  /** Whether not even words about the feed leave any more. */
  boolean isFlooded() {
    return bytes > 2 * maxBytes;
  }

  /** Sends a frame with whatever else is due in the next round of the {@link Pulse}. */
  void write(Frame frame) {
    if (bundle != NONE && pulse.bundle(bundle).size() + frame.size() > MAX_JOINED_BYTES) {
      flush();
    }
    Bundle before = bundle == NONE ? pulse.hold() : pulse.bundle(bundle);
    bundle = before.with(frame).number();
    bytes += frame.size();
    if (!isDue) {
      isDue = true;
      pulse.due(this);
    }
  }

  void onPulse() {
    isDue = false;
    flush();
  }

  /** Writes what was sent without waiting any longer. */
  void flush() {
    if (bundle == NONE) {
      return;
    }
    Bundle due = pulse.bundle(bundle);
    bundle = NONE;
    meters.merged(due.records() - 1);
    if (transport.write(due, this)) {
      onLeft(due.size(), due.records(), true);
    }
    due.letGo();
  }

  @Override
  public void onLeft(int size, int records, boolean isSent) {
    bytes -= size;
    meters.left(records, isSent);
    if (isSent && bytes <= maxBytes / 2) {
      onRoom.run();
    }
  }
}
