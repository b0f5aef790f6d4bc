package io.galop.loadtest.experiments.lone;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A blocking socket that speaks in lines and in counted bytes. */
final class LineSocket implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int READ_TIMEOUT_MS = 60_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  LineSocket(InetSocketAddress to) throws IOException {
    socket.connect(to, CONNECT_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MS);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Writes everything at once. */
  void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The next line, without its end. */
  String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = read(); next != '\n'; next = read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  /** The next byte. */
  int read() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException("the server has closed the connection");
    }
    return next;
  }

  /** The next so many bytes. */
  byte[] read(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the server has closed the connection");
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
