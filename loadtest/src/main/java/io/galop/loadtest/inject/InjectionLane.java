package io.galop.loadtest.inject;

import java.io.IOException;

/** One connection to a door: a thread sends, another hears the answers. */
abstract class InjectionLane implements AutoCloseable {
  private final Ledger ledger;

  InjectionLane(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Begins to hear answers. */
  final void start() {
    Thread reader = new Thread(this::run, "acknowledgements");
    reader.setDaemon(true);
    reader.start();
  }

  private void run() {
    try {
      hear();
      ledger.onFailure("the door has closed the connection");
    } catch (IOException | RuntimeException e) {
      ledger.onFailure(String.valueOf(e.getMessage()));
    }
  }

  /** Tells the ledger what is acknowledged, until the connection ends. */
  abstract void hear() throws IOException;

  /** The most records that one call of {@link #send} takes. */
  abstract int mostAtOnce();

  /** Sends at most {@link #mostAtOnce} records; blocks while the door takes none. */
  abstract void send(ScheduleShare share) throws IOException;

  final Ledger ledger() {
    return ledger;
  }

  @Override
  public abstract void close() throws IOException;
}
