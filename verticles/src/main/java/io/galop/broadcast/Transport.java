package io.galop.broadcast;

/**
 * A connection to a browser, as a Subscriber sees it: all that a faster way of writing has to
 * implement. Called on the Hub's event loop only.
 */
interface Transport {
  /** Into how many parts the time between heartbeats is divided. */
  int BEATS = 5;

  /**
   * Writes frames after those before them, in as few packets as the transport allows.
   *
   * @param receipt is told, on the Hub's event loop, what becomes of frames that do not leave at
   *     once, each once
   * @return whether all of them have left this process; then the receipt is told nothing
   */
  boolean write(Bundle bundle, Receipt receipt);

  /**
   * One part of the time between heartbeats is over. Who has heartbeats to send does so when {@link
   * #BEATS} of them have passed without a write.
   */
  void onBeat();

  /** Tells the browser why, and ends the connection. */
  void close(Disconnect why);

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
