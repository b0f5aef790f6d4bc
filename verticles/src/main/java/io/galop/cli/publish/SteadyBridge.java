package io.galop.cli.publish;

import io.galop.cli.Terminal;
import io.galop.jvm.ErrorText;
import io.galop.retry.Backoff;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Comes back to a bridge that has gone, and sends again, in their order, the lines that it had no
 * answer to: for records with ids only, since the node knows these again. Any thread; whoever sends
 * bounds what is in flight.
 */
final class SteadyBridge implements DoorClient {
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 5_000;

  /** How a bridge is reached. */
  interface Way {
    DoorClient open() throws IOException;
  }

  /** A connection ended: what was on its way may have arrived or not. */
  static final class Lost extends IOException {
    private static final long serialVersionUID = 1L;

    Lost(String why) {
      super(why);
    }
  }

  private record Sent(String lines, CompletableFuture<PublishAnswer> answer) {}

  private final Way way;
  private final long patienceSeconds;
  private final Terminal console;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  /** Without an answer, in the order in which they were sent. */
  private final List<Sent> unanswered = new ArrayList<>();

  /** Null while there is none, and somebody is on the way to one. */
  private @Nullable DoorClient bridge;

  /** Since the last answer it has gone; one that only lets connect is away too. */
  private boolean isAway;

  private long deadlineNs;
  private boolean isClosed;

  /**
   * Connects.
   *
   * @param patienceSeconds how long one that has gone is tried again
   */
  SteadyBridge(Way way, long patienceSeconds, Terminal console) throws IOException {
    this.way = way;
    this.patienceSeconds = patienceSeconds;
    this.console = console;
    this.bridge = way.open();
  }

  @Override
  public synchronized CompletableFuture<PublishAnswer> send(String lines) {
    Sent sent = new Sent(lines, new CompletableFuture<>());
    if (isClosed) {
      sent.answer().completeExceptionally(new Lost("the bridge does not come back"));
      return sent.answer();
    }
    unanswered.add(sent);
    pass(sent);
    return sent.answer();
  }

  /** While there is no bridge it waits for the next. */
  private synchronized void pass(Sent sent) {
    DoorClient to = bridge;
    if (to != null) {
      to.send(sent.lines())
          .whenComplete((answer, failure) -> onAnswer(sent, to, answer, cause(failure)));
    }
  }

  private static @Nullable Throwable cause(@Nullable Throwable failure) {
    return failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
  }

  private void onAnswer(
      Sent sent, DoorClient by, PublishAnswer answer, @Nullable Throwable failure) {
    if (failure instanceof Lost && onLost(by, failure)) {
      return;
    }
    synchronized (this) {
      unanswered.remove(sent);
      isAway &= failure != null;
    }
    if (failure == null) {
      sent.answer().complete(answer);
    } else {
      sent.answer().completeExceptionally(failure);
    }
  }

  /** Whether there will be another, or a last word. */
  private synchronized boolean onLost(DoorClient by, Throwable failure) {
    if (isClosed) {
      return false;
    }
    if (by == bridge) {
      bridge = null;
      end(by); // else what it still holds could arrive behind what is sent again
      if (!isAway) {
        onAway(failure);
      }
      long untilNs = deadlineNs;
      Thread thread = new Thread(() -> comeBack(failure, untilNs), "bridge-return");
      thread.setDaemon(true);
      thread.start();
    }
    return true;
  }

  private static void end(DoorClient lost) {
    try {
      lost.close();
    } catch (IOException gone) {
      // it has ended anyway
    }
  }

  private void onAway(Throwable failure) {
    isAway = true;
    backoff.reset();
    deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
    console.say(
        "%s; trying again for up to %d s".formatted(ErrorText.of(failure), patienceSeconds));
  }

  /** One thread at a time: the next bridge is there before it can go. */
  private void comeBack(Throwable lost, long untilNs) {
    Throwable last = lost;
    while (System.nanoTime() - untilNs < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(backoff.nextMs());
        onBridge(way.open());
        return;
      } catch (IOException | RuntimeException e) { // also a certificate that is just being replaced
        last = e;
      } catch (InterruptedException e) {
        break;
      }
    }
    giveUp(last);
  }

  private synchronized void onBridge(DoorClient next) throws IOException {
    if (isClosed) {
      next.close();
      return;
    }
    bridge = next;
    console.say("connected again; batches sent again: " + unanswered.size());
    List.copyOf(unanswered).forEach(this::pass);
  }

  private void giveUp(Throwable why) {
    List<Sent> left;
    synchronized (this) {
      isClosed = true;
      left = List.copyOf(unanswered);
      unanswered.clear();
    }
    String words = "the bridge did not come back within %d s: %s";
    Lost failure = new Lost(words.formatted(patienceSeconds, ErrorText.of(why)));
    left.forEach(sent -> sent.answer().completeExceptionally(failure));
  }

  @Override
  public synchronized void close() throws IOException {
    isClosed = true;
    if (bridge != null) {
      bridge.close();
    }
  }
}
