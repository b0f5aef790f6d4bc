package io.galop.broadcast.sockjs;

/**
 * A connection to a browser, as a Subscriber sees it: all that a faster way of writing has to
 * implement. Called on the Hub's event loop only.
 */
public interface Transport {
  /** Into how many parts the time between heartbeats is divided. */
  int BEATS = 5;

  /**
   * Writes frames after those before them, in as few packets as the transport allows.
   *
   * @param receipt is told, on the Hub's event loop, what becomes of frames that do not leave at
   *     once, each once
   * @return whether all of them have left this process; then the receipt is told nothing
   */
  boolean write(Frames frames, Receipt receipt);

  /** Whether nothing that was written before waits in this process, as far as is known here. */
  boolean isReady();

  /**
   * One part of the time between heartbeats is over. Who has heartbeats to send does so when {@link
   * #BEATS} of them have passed without a write.
   */
  void onBeat();

  /**
   * Bounds what the operating system keeps for the connection, where it is the browser's alone.
   *
   * @param bytes of the records; 0 leaves it to the system
   */
  default void limitSocket(int bytes) {}

  /** Who is at the other end, for operators; empty where each request comes on its own. */
  default String address() {
    return "";
  }

  /** How bytes go to the browser, as metrics say it. */
  String kind();

  /** Whether messages travel in SockJS frames, and not each by itself. */
  default boolean isSockJs() {
    return true;
  }

  /** Tells the browser why, and ends the connection. */
  void close(Ending why);

  /** Who wants to know what becomes of frames. */
  interface Receipt {
    /**
     * Frames have left this process, or never will.
     *
     * @param size what they count for in an outbox
     * @param records how many of them carry a record
     */
    void onLeft(int size, int records, boolean isSent);
  }
}
