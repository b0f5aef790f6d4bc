package io.galop.cli.publish;

import io.galop.jvm.ErrorText;
import io.galop.ring.RingPublisher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Through a ring that a node of this machine reads. */
final class RingLines implements DoorClient {
  private static final int LOOK_EVERY_MS = 1;

  /** Lines that are in the ring together. */
  private static final class Sent {
    private final CompletableFuture<PublishAnswer> answer = new CompletableFuture<>();
    private final List<Long> numbers = new ArrayList<>();
    private final List<PublishAnswer.Refused> refused = new ArrayList<>();
    private long last = Long.MAX_VALUE;

    /** Takes note of the number that the next line has in the ring; 0 where it does not fit. */
    private void number(long number) {
      numbers.add(number);
    }

    private void refuse(int line, String reason, String detail) {
      refused.removeIf(known -> known.line() == line); // told again after a restart
      refused.add(new PublishAnswer.Refused(line, reason, detail));
    }

    private void settled() {
      answer.complete(
          new PublishAnswer(numbers.size() - refused.size(), List.copyOf(refused), 0, "", 0));
    }
  }

  private final RingPublisher ring;
  private final long answerTimeoutSeconds;
  private final Deque<Sent> waiting = new ArrayDeque<>();
  private boolean closed;

  /**
   * Attaches to the ring.
   *
   * @throws IOException in a sentence, if it cannot be used
   */
  RingLines(Path file, long answerTimeoutSeconds) throws IOException {
    this.ring = RingPublisher.open(file);
    this.answerTimeoutSeconds = answerTimeoutSeconds;
    Thread thread = new Thread(this::follow, "ring-answers");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public synchronized CompletableFuture<PublishAnswer> send(String lines) {
    Sent sent = new Sent();
    waiting.add(sent);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(answerTimeoutSeconds);
    try {
      for (String line : lines.split("\n")) {
        put(sent, line.getBytes(StandardCharsets.UTF_8), deadline);
      }
      sent.last = ring.offered();
    } catch (IOException e) {
      waiting.remove(sent);
      sent.answer.completeExceptionally(e);
    }
    return sent.answer.orTimeout(answerTimeoutSeconds, TimeUnit.SECONDS);
  }

  private void put(Sent sent, byte[] line, long deadline) throws IOException {
    try {
      while (!ring.offerLine(line)) {
        if (System.nanoTime() - deadline > 0) {
          String why = ring.isServed() ? "" : " and no node reads it";
          throw new IOException("the ring is full" + why);
        }
        pause();
      }
      sent.number(ring.offered());
    } catch (IllegalArgumentException e) {
      sent.number(0);
      sent.refuse(sent.numbers.size(), "too_large", ErrorText.of(e));
    }
  }

  private synchronized void follow() {
    while (!closed) {
      long settled = ring.settled();
      ring.poll(this::onRejected, Integer.MAX_VALUE);
      while (!waiting.isEmpty() && waiting.peek().last <= settled) {
        waiting.poll().settled();
      }
      pause();
    }
  }

  private void onRejected(long number, String reason, String detail) {
    for (Sent sent : waiting) {
      int at = sent.numbers.indexOf(number);
      if (at >= 0) {
        sent.refuse(at + 1, reason, detail);
      }
    }
  }

  /** Lets the other thread have the ring for a while. */
  private void pause() {
    try {
      wait(LOOK_EVERY_MS);
    } catch (InterruptedException e) {
      closed = true;
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    ring.close();
  }
}
