package io.galop.loadtest.latency;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages when they are due, whether or not the ones before have been answered (an open
 * model): what the server makes wait counts as latency, since each carries the time it was due.
 */
public final class OpenLoopPublisher implements AutoCloseable {
  private static final Pattern ACKED = Pattern.compile("\"acked\":\\s*(\\d+)");
  private static final int CONNECT_TIMEOUT_MS = 5_000;

  private final Load load;
  private final long intervalNanos;
  private final Socket socket = new Socket();
  private final OutputStream out;
  private final Thread sender = new Thread(this::send, "publisher");
  private final Histogram lag = Latencies.histogram();
  private final Histogram acknowledged = Latencies.histogram();
  private final long startNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
  private volatile long firstMeasured = Long.MAX_VALUE;
  private volatile long end = Long.MAX_VALUE;
  private volatile long sent;
  private long acked;
  private volatile @Nullable IOException failure;

  /**
   * Connects to a door and begins to send.
   *
   * @param door where lines are taken
   */
  public OpenLoopPublisher(Load load, InetSocketAddress door) throws IOException {
    this.load = load;
    this.intervalNanos = Math.round(TimeUnit.SECONDS.toNanos(1) / load.ratePerSecond());
    socket.connect(door, CONNECT_TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    out = socket.getOutputStream();
    sender.setDaemon(true);
    sender.start();
    Thread reader = new Thread(this::readAnswers, "acknowledgements");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Begins to measure in a second, so that viewers can be told before.
   *
   * @return the number of the first message that counts
   */
  public long measureSoon() {
    long first = comingUp() + soon();
    end = first + load.messages();
    firstMeasured = first;
    return first;
  }

  /** What is sent next; a sender that had no processor will send all that is due at once. */
  private long comingUp() {
    return Math.max(sent, (System.nanoTime() - startNanos) / intervalNanos + 1);
  }

  /** So many messages ahead that viewers can be told before they come: a second, at least two. */
  private long soon() {
    return Math.max(2, (long) Math.ceil(load.ratePerSecond()));
  }

  /**
   * Sends for as long as nobody says otherwise, and measures from now on.
   *
   * @see #stopSoon()
   */
  public void measureNow() {
    firstMeasured = 0;
  }

  /**
   * Stops within a second or two messages.
   *
   * @return the number after the last message
   */
  public long stopSoon() {
    end = comingUp() + soon();
    return end;
  }

  /** The number after the last message, once that is known. */
  public long end() {
    return end;
  }

  /** Waits until a message is due. */
  public void awaitDue(long number) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.max(0, due(number) - System.nanoTime()));
  }

  private void send() {
    try {
      for (long number = 0; number < end; number++) {
        long due = due(number);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        String line =
            "{\"topic\":\"%s\",\"data\":%s}\n"
                .formatted(load.topic(number), Stamp.data(number, due, load.bytes()));
        out.write(line.getBytes(StandardCharsets.US_ASCII));
        sent = number + 1;
        if (number >= firstMeasured) {
          Latencies.record(lag, System.nanoTime() - due);
        }
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private long due(long number) {
    return startNanos + number * intervalNanos;
  }

  private void readAnswers() {
    try {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (String answer = in.readLine(); answer != null; answer = in.readLine()) {
        Matcher matcher = ACKED.matcher(answer);
        if (!matcher.find() || answer.contains("\"reason\"")) {
          throw new IOException("the door refuses: " + answer);
        }
        onAcked(Long.parseLong(matcher.group(1)));
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        failure = e;
      }
    }
  }

  private synchronized void onAcked(long lines) {
    long now = System.nanoTime();
    for (long number = acked; number < lines; number++) {
      if (number >= firstMeasured && number < end) {
        Latencies.record(acknowledged, now - due(number));
      }
    }
    acked = lines;
  }

  /** Waits until all messages are sent. */
  public void awaitEnd() throws InterruptedException, IOException {
    sender.join();
    check();
  }

  /** Fails if the door does. */
  public void check() throws IOException {
    if (failure != null) {
      throw new IOException("publishing failed: " + failure.getMessage(), failure);
    }
  }

  /** How much later than due messages were sent: the generator's own fault. */
  public Histogram lag() {
    return lag;
  }

  /** From due to acknowledged; empty if the server does not acknowledge. */
  public synchronized Histogram acknowledged() {
    return acknowledged.copy();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
