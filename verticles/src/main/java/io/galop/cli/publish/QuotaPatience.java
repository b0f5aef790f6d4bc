package io.galop.cli.publish;

import io.galop.cli.Terminal;
import io.galop.retry.Backoff;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Waits where a node refuses lines for a quota, and sends these again before what follows: for
 * records with ids only, since the node knows these again. One batch is under way at a time: what
 * is behind one that is refused would be taken before it, and an older value become the last of its
 * topic. Any thread; whoever sends bounds what waits, and a batch has no more lines than the door
 * lists refusals.
 */
final class QuotaPatience implements DoorClient {
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 5_000;
  private static final String OVER_QUOTA = "over_quota";

  private final DoorClient door;
  private final long patienceSeconds;
  private final Terminal console;
  private final Backoff backoff = new Backoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  /** What is not under way, by its number: the first goes next. */
  private final TreeMap<Long, Sending> waiting = new TreeMap<>();

  private long count;
  private boolean isUnderWay;
  private boolean isPausing;
  private boolean isSaid;

  /** Since the last line that was taken one was refused. */
  private boolean isStuck;

  private long stuckSinceNs;

  /** A batch, and what has become of its lines. On whichever thread has its answer. */
  private static final class Sending {
    private final long number;
    private final List<String> lines;
    private final CompletableFuture<PublishAnswer> answer = new CompletableFuture<>();
    private final List<PublishAnswer.Refused> refused = new ArrayList<>();
    private int accepted;
    private int more;

    /** The lines that have no answer, by their number in the batch, from 1. */
    private List<Integer> open = new ArrayList<>();

    Sending(long number, String text) {
      this.number = number;
      this.lines = text.lines().toList();
      for (int line = 1; line <= lines.size(); line++) {
        open.add(line);
      }
    }

    String text() {
      StringBuilder text = new StringBuilder();
      open.forEach(line -> text.append(lines.get(line - 1)).append('\n'));
      return text.toString();
    }

    /** Takes the answer to what was open; returns whether a quota has left some of it so. */
    boolean take(PublishAnswer now) {
      if (!now.error().isEmpty()) {
        return now.retryAfterMs() > 0;
      }
      List<Integer> left = new ArrayList<>();
      for (PublishAnswer.Refused one : now.rejected()) {
        boolean isKnown = one.line() >= 1 && one.line() <= open.size();
        int line = isKnown ? open.get(one.line() - 1) : 0;
        if (isKnown && one.reason().equals(OVER_QUOTA)) {
          left.add(line);
        } else {
          refused.add(new PublishAnswer.Refused(line, one.reason(), one.detail()));
        }
      }
      accepted += now.accepted();
      more += now.more();
      open = left;
      return !left.isEmpty();
    }

    PublishAnswer sum(String error) {
      return new PublishAnswer(accepted, List.copyOf(refused), more, error, 0);
    }
  }

  /**
   * @param patienceSeconds how long to wait for a quota that lets nothing through
   */
  QuotaPatience(DoorClient door, long patienceSeconds, Terminal console) {
    this.door = door;
    this.patienceSeconds = patienceSeconds;
    this.console = console;
  }

  @Override
  public CompletableFuture<PublishAnswer> send(String lines) {
    Sending sending;
    synchronized (this) {
      sending = new Sending(count++, lines);
      waiting.put(sending.number, sending);
    }
    passNext();
    return sending.answer;
  }

  private void passNext() {
    Sending next;
    synchronized (this) {
      if (isUnderWay || isPausing || waiting.isEmpty()) {
        return;
      }
      isUnderWay = true;
      next = waiting.pollFirstEntry().getValue();
    }
    door.send(next.text())
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                next.answer.completeExceptionally(failure);
              } else {
                onAnswer(next, answer);
              }
              synchronized (this) {
                isUnderWay = false;
              }
              passNext();
            });
  }

  private void onAnswer(Sending sending, PublishAnswer answer) {
    if (!sending.take(answer)) {
      if (answer.accepted() > 0) {
        moved();
      }
      sending.answer.complete(sending.sum(answer.error()));
    } else if (!isToWait(sending, answer)) {
      String why = answer.error().isEmpty() ? "a quota refuses them" : answer.error();
      String words = "nothing was taken for %d s: %s".formatted(patienceSeconds, why);
      sending.answer.complete(sending.sum(words));
    }
  }

  private synchronized void moved() {
    isStuck = false;
    backoff.reset();
  }

  /** Whether the rest is sent again later. */
  private synchronized boolean isToWait(Sending sending, PublishAnswer answer) {
    long now = System.nanoTime();
    if (answer.accepted() > 0) {
      moved();
    }
    if (!isStuck) {
      isStuck = true;
      stuckSinceNs = now;
    }
    if (now - stuckSinceNs >= TimeUnit.SECONDS.toNanos(patienceSeconds)) {
      return false;
    }
    waiting.put(sending.number, sending);
    if (!isPausing) {
      isPausing = true;
      pause(Math.min(LONGEST_PAUSE_MS, Math.max(answer.retryAfterMs(), backoff.nextMs())), answer);
    }
    return true;
  }

  private void pause(long ms, PublishAnswer answer) {
    if (!isSaid) {
      isSaid = true;
      String why = answer.error().isEmpty() ? answer.rejected().get(0).detail() : answer.error();
      console.say(
          "over a quota: %s; waiting, and sending again what is refused, for up to %d s"
              .formatted(why, patienceSeconds));
    }
    CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS).execute(this::goOn);
  }

  private void goOn() {
    synchronized (this) {
      isPausing = false;
    }
    passNext();
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
