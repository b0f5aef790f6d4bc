package io.galop.loadtest.inject;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection over TCP. */
abstract class SocketLane extends InjectionLane {
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Socket socket = new Socket();
  private final Template template;
  private final int most;
  private final OutputStream out;
  private final InputStream in;

  /**
   * Connects.
   *
   * @param bufferBytes how many bytes of records are written at once
   */
  SocketLane(InetSocketAddress door, Ledger ledger, Template template, int bufferBytes)
      throws IOException {
    super(ledger);
    this.template = template;
    most = Math.max(1, Math.min(ledger.room(), bufferBytes / template.length()));
    socket.connect(door, CONNECT_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
  }

  @Override
  final int mostAtOnce() {
    return most;
  }

  final Template template() {
    return template;
  }

  /** As many bytes as the most records that are sent at once have. */
  final int mostBytes() {
    return most * template.length();
  }

  /** Writes the records of a share behind one another; returns where they end. */
  final int write(ScheduleShare share, byte[] buffer, int from) {
    int at = from;
    for (int i = 0; i < share.count(); i++) {
      long due = share.dueNanos(i);
      ledger().onSend(due);
      at = template.write(share.number(i), due, buffer, at);
    }
    return at;
  }

  @Override
  final void hear() throws IOException {
    readAnswers(in);
  }

  /** Reads until the connection ends. */
  abstract void readAnswers(InputStream answers) throws IOException;

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
