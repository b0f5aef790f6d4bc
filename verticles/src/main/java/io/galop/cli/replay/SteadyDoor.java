package io.galop.cli.replay;

import io.galop.cli.CliFailure;
import io.galop.cli.HostPort;
import io.galop.cli.Terminal;
import io.galop.cli.TlsOptions;
import io.galop.jvm.ErrorText;
import io.galop.retry.Backoff;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The tcp door as it looks to a replay: a lost connection is opened again and the lines that were
 * not answered are sent again; their ids make that harmless.
 */
final class SteadyDoor implements DoorConnection.Answers, AutoCloseable {
  private static final long READER_PATIENCE_MS = 1_000;
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 5_000;

  /** Where the door is, and how long to try again without any progress. */
  record Address(HostPort to, TlsOptions tls, String token, long retrySeconds) {}

  private final Address address;
  private final InFlightLines window;
  private final Terminal console;
  private final Clock clock;
  private final AtomicLong rejected = new AtomicLong();

  /** The last one that was opened; null before {@link #open}. */
  private @Nullable DoorConnection connection;

  private long deadlineNanos;
  private long answeredThen = -1;
  private volatile long waitingAtSilence;
  private volatile String refused = "";

  SteadyDoor(Address address, InFlightLines window, Terminal console, Clock clock) {
    this.address = address;
    this.window = window;
    this.console = console;
    this.clock = clock;
  }

  /** Opens the first connection, which has to be there at once. */
  void open() throws IOException {
    try {
      connection = new DoorConnection(address.to, address.tls, address.token, this);
    } catch (IOException e) {
      throw CliFailure.failed(
          "no tcp door at %s: %s; is a node running there?".formatted(address.to, e.getMessage()));
    }
  }

  /** Sends a line that the window has taken. */
  void write(byte[] line) throws InterruptedException {
    try {
      connection().write(line);
    } catch (IOException e) {
      reopen(reason(e));
    }
  }

  /** Sends what waits in buffers, and opens the connection again if it was lost. */
  void flush() throws InterruptedException {
    String lost = window.lost();
    if (lost.isEmpty()) {
      try {
        connection().flush();
        return;
      } catch (IOException e) {
        lost = reason(e);
      }
    }
    reopen(lost);
  }

  /** What the reader of answers saw says more than that writing failed; it sees it soon. */
  private String reason(IOException failure) throws InterruptedException {
    String lost = window.awaitLost(READER_PATIENCE_MS);
    return lost.isEmpty() ? ErrorText.of(failure) : lost;
  }

  private void reopen(String why) throws InterruptedException {
    if (!refused.isEmpty()) {
      throw CliFailure.failed("the tcp door at %s refuses: %s".formatted(address.to, refused));
    }
    console.say("connection to %s lost: %s; trying again".formatted(address.to, why));
    if (window.answered() != answeredThen) {
      answeredThen = window.answered();
      deadlineNanos = clock.nanos() + TimeUnit.SECONDS.toNanos(address.retrySeconds);
    }
    Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    while (clock.nanos() < deadlineNanos) {
      clock.sleep(TimeUnit.MILLISECONDS.toNanos(backoff.nextMs()));
      if (sendAgain()) {
        return;
      }
    }
    throw CliFailure.failed(
        "the tcp door at %s takes nothing for %d s (%s); the same command continues after line %d"
            .formatted(address.to, address.retrySeconds, why, window.doneLine()));
  }

  private boolean sendAgain() {
    try {
      connection().close();
      long doneLine = window.doneLine();
      var again = window.beginConnection();
      DoorConnection next = new DoorConnection(address.to, address.tls, address.token, this);
      connection = next;
      console.say("connected again, going on after line " + doneLine);
      for (InFlightLines.Sent line : again) {
        next.write(line.bytes());
      }
      next.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private DoorConnection connection() {
    return Objects.requireNonNull(connection, "open comes first");
  }

  @Override
  public void onAnswered(long lines) {
    window.onAnswered(lines);
  }

  @Override
  public void onRejected(long line, String reason, String detail) {
    rejected.incrementAndGet();
    console.say("line %d rejected: %s: %s".formatted(window.fileLine(line), reason, detail));
  }

  @Override
  public void onRefused(String error) {
    refused = error;
  }

  /** A silence is too long when the same line waits for its answer as at the last one. */
  @Override
  public boolean onSilence() {
    long waiting = window.oldest();
    boolean fine = waiting == 0 || waiting != waitingAtSilence;
    waitingAtSilence = waiting;
    return fine;
  }

  @Override
  public void onLost(String why) {
    window.onLost(why);
  }

  /** How many lines the door has refused. */
  long rejected() {
    return rejected.get();
  }

  @Override
  public void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
  }
}
