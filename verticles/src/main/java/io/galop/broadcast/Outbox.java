package io.galop.broadcast;

/**
 * What was written to one connection and has not left yet: bounded in bytes, by those who ask
 * whether there is room before they write.
 */
final class Outbox {
  private final Hub hub;
  private final Transport transport;
  private final int maxBytes;
  private final Runnable onRoom;
  private int bytes;
  private long writtenTurn;

  /**
   * @param onRoom is called when something has left and the outbox is at most half full
   */
  Outbox(Hub hub, Transport transport, int maxBytes, Runnable onRoom) {
    this.hub = hub;
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

  void write(Frame frame) {
    bytes += frame.size();
    if (frame.isRecord()) {
      hub.meters().merged(writtenTurn == hub.turn());
      writtenTurn = hub.turn();
    }
    transport.write(frame).onComplete(done -> written(frame, done.succeeded()));
  }

  private void written(Frame frame, boolean left) {
    bytes -= frame.size();
    if (frame.isRecord()) {
      hub.meters().sent(left);
    }
    if (left && bytes <= maxBytes / 2) {
      onRoom.run();
    }
  }
}
