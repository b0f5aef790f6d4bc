package io.galop.loadtest.inject;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One connection to a door: a thread sends, another reads the answers. */
abstract class Lane implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Socket socket = new Socket();
  private final Ledger ledger;
  private final OutputStream out;
  private final InputStream in;

  /** Connects. */
  Lane(InetSocketAddress door, Ledger ledger) throws IOException {
    this.ledger = ledger;
    socket.connect(door, CONNECT_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
  }

  /** Begins to read answers. */
  final void start() {
    Thread reader = new Thread(this::read, "acknowledgements");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try {
      readAnswers(in);
      ledger.onFailure("the door has closed the connection");
    } catch (IOException | RuntimeException e) {
      ledger.onFailure(String.valueOf(e.getMessage()));
    }
  }

  /** Reads until the connection ends. */
  abstract void readAnswers(InputStream answers) throws IOException;

  /** The most records that one call of {@link #send} takes. */
  abstract int mostAtOnce();

  /**
   * Sends records; blocks while the door takes none.
   *
   * @param index of the first in the schedule
   * @param count of records, at most {@link #mostAtOnce}
   * @param stride from one index to the next
   */
  abstract void send(Schedule schedule, long index, int count, int stride) throws IOException;

  final Ledger ledger() {
    return ledger;
  }

  final OutputStream out() {
    return out;
  }

  /** For what has to be read before answers. */
  final InputStream in() {
    return in;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
