package io.galop.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A connection to a node; what the other side does is never an exception of its own. */
public final class Plug implements AutoCloseable {
  private static final int TIMEOUT_MS = 60_000;

  private final Socket socket;
  private final InputStream in;

  public Plug(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    socket.setSoLinger(true, 0); // a thousand a second would use up the ports otherwise
    in = socket.getInputStream();
  }

  /** Writes, unless the other side has ended the connection. */
  public void write(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException ended) {
      // What it answered is still to be read.
    }
  }

  public void write(String text) {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Says that nothing more comes. */
  public void end() {
    try {
      socket.shutdownOutput();
    } catch (IOException ended) {
      // So has the other side.
    }
  }

  /** Reads until the other side ends or an answer has this in it; it must be one of them. */
  public String read(String until) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[4096];
    String text = "";
    while (until.isEmpty() || !text.contains(until)) {
      int count = read(buffer);
      if (count < 0) {
        return text;
      }
      all.write(buffer, 0, count);
      text = all.toString(StandardCharsets.ISO_8859_1);
    }
    return text;
  }

  private int read(byte[] buffer) throws IOException {
    try {
      return in.read(buffer);
    } catch (SocketException reset) {
      return -1;
    }
  }

  /** One byte; -1 at the end. */
  public int read() throws IOException {
    try {
      return in.read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  /** So many bytes, or fewer at the end. */
  public byte[] read(int count) throws IOException {
    return in.readNBytes(count);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
