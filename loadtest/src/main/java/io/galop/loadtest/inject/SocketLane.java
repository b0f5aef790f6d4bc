package io.galop.loadtest.inject;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection over TCP. */
abstract class SocketLane extends Lane {
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Socket socket = new Socket();
  private final OutputStream out;
  private final InputStream in;

  /** Connects. */
  SocketLane(InetSocketAddress door, Ledger ledger) throws IOException {
    super(ledger);
    socket.connect(door, CONNECT_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
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
