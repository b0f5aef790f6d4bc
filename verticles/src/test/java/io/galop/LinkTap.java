package io.galop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a node that dials and a relay, and reads what the relay says, frame by frame. */
final class LinkTap implements AutoCloseable {
  private final ServerSocket server;
  private final int relayPort;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** The first byte of each message of the relay. */
  private final Set<Integer> said = new ConcurrentSkipListSet<>();

  private volatile boolean isCut;

  LinkTap(int relayPort) throws IOException {
    this.relayPort = relayPort;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    run(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  Set<Integer> said() {
    return said;
  }

  void cut(boolean isNow) throws IOException {
    isCut = isNow;
    for (Socket socket : isNow ? open : List.<Socket>of()) {
      socket.close();
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void run(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (IOException closed) {
                // The other side sees it.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket from = server.accept();
      if (isCut) {
        from.close();
        continue;
      }
      run(() -> join(from));
    }
  }

  private void join(Socket from) throws IOException {
    try {
      Socket to = new Socket(InetAddress.getLoopbackAddress(), relayPort);
      open.add(from);
      open.add(to);
      run(() -> copy(from, to));
      run(() -> read(to, from));
    } catch (IOException e) {
      from.close();
      throw e;
    }
  }

  private void copy(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  /** RFC 6455: what a server sends is not masked. */
  private void read(Socket relay, Socket to) throws IOException {
    try (relay;
        to) {
      InputStream in = relay.getInputStream();
      OutputStream out = to.getOutputStream();
      readHead(in, out);
      boolean isBegin = true;
      for (int first = in.read(); first >= 0; first = in.read()) {
        int second = one(in);
        byte[] extended = in.readNBytes(second == 126 ? 2 : second == 127 ? 8 : 0);
        long length = extended.length == 0 ? second : 0;
        for (byte b : extended) {
          length = length << 8 | b & 0xff;
        }
        byte[] payload = in.readNBytes((int) length);
        out.write(new byte[] {(byte) first, (byte) second});
        out.write(extended);
        out.write(payload);
        boolean isMessage = (first & 0x0f) <= 2;
        if (isMessage && isBegin) {
          said.add(payload[0] & 0xff);
        }
        isBegin = isMessage ? (first & 0x80) != 0 : isBegin;
      }
    }
  }

  private static void readHead(InputStream in, OutputStream out) throws IOException {
    int ends = 0;
    while (ends < 4) {
      int next = one(in);
      out.write(next);
      ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
    }
  }

  private static int one(InputStream in) throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new IOException("the relay has gone");
    }
    return next;
  }

  @Override
  public void close() {
    try {
      server.close();
      cut(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
