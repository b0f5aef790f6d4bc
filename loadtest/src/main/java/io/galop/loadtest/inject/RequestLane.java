package io.galop.loadtest.inject;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;

/** A connection with one request after the other, with all that has become due meanwhile. */
abstract class RequestLane extends SocketLane {
  private final Semaphore answered = new Semaphore(1);

  RequestLane(InetSocketAddress door, Template template, int bufferBytes) throws IOException {
    super(door, new Ledger(), template, bufferBytes);
  }

  @Override
  final void send(ScheduleShare share) throws IOException {
    answered.acquireUninterruptibly();
    if (ledger().failure() != null) {
      throw new IOException(ledger().failure());
    }
    request(share);
  }

  /** Sends a request. */
  abstract void request(ScheduleShare share) throws IOException;

  @Override
  final void readAnswers(InputStream in) throws IOException {
    try {
      readEach(in);
    } catch (IOException | RuntimeException e) {
      ledger().onFailure(String.valueOf(e.getMessage())); // before who waits is let go on
      throw e;
    } finally {
      ledger().onFailure("the door has closed the connection");
      answered.release();
    }
  }

  /** Reads answers, and tells of each by {@link #onAnswered}, until the connection ends. */
  abstract void readEach(InputStream in) throws IOException;

  /** The request under way is answered. */
  final void onAnswered(long refused) {
    ledger().onRefused(refused);
    ledger().onAcked(ledger().sent());
    answered.release();
  }
}
