package io.galop.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy in front of a server: it delays what the server answers, cuts connections, or lets
 * them stand with nothing passing. A port of its own; the server may go and come behind it.
 */
public final class StoreProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 65_536;

  private final ServerSocket listener;
  private final int serverPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final Object change = new Object();
  private volatile long delayMs;
  private boolean silent;
  private volatile boolean refusing;

  public StoreProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      this.listener = new ServerSocket(0, 512, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("accept", this::acceptAll);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** How many connections have come so far. */
  public int accepted() {
    return accepted.get();
  }

  /** From now on whatever the server sends arrives so much later, piece after piece. */
  public void delayAnswersMs(long delayMs) {
    this.delayMs = delayMs;
  }

  /** Closes all connections; new ones are accepted and closed at once while {@code refuse}. */
  public void cut(boolean refuse) {
    refusing = refuse;
    open.forEach(StoreProxy::closeQuietly);
  }

  /** Nothing passes any more in either direction, and nothing is closed, until {@link #pass}. */
  public void blackHole() {
    synchronized (change) {
      silent = true;
    }
  }

  /** Ends {@link #blackHole}, {@link #cut} and the delay. */
  public void pass() {
    delayMs = 0;
    refusing = false;
    synchronized (change) {
      silent = false;
      change.notifyAll();
    }
  }

  private void acceptAll() throws IOException {
    while (true) {
      Socket client = listener.accept();
      accepted.incrementAndGet();
      open.add(client);
      run("connect", () -> connect(client));
    }
  }

  private void connect(Socket client) throws IOException, InterruptedException {
    Socket server = new Socket();
    open.add(server);
    try {
      awaitPassing();
      if (refusing) {
        throw new IOException("refused");
      }
      server.connect(new InetSocketAddress("127.0.0.1", serverPort));
      run("answers", () -> pump(server, client, true));
      pump(client, server, false);
    } finally {
      close(client, server);
    }
  }

  private void pump(Socket from, Socket to, boolean answers)
      throws IOException, InterruptedException {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (answers) {
          TimeUnit.MILLISECONDS.sleep(delayMs);
        }
        awaitPassing();
        out.write(buffer, 0, read);
      }
    } finally {
      close(from, to);
    }
  }

  private void awaitPassing() throws InterruptedException {
    synchronized (change) {
      while (silent && !listener.isClosed()) {
        change.wait();
      }
    }
  }

  private void close(Socket one, Socket other) {
    closeQuietly(one);
    closeQuietly(other);
    open.remove(one);
    open.remove(other);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed is what it is to be.
    }
  }

  /** What a thread of the proxy does until a socket ends it. */
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void run(String name, Work work) {
    Thread thread = new Thread(() -> quietly(work), "proxy " + name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void quietly(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      // A closed socket is how each of these threads ends.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(StoreProxy::closeQuietly);
    pass();
  }
}
