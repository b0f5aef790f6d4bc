package io.galop.cli.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Lines that were sent and not yet answered, in their order: at most so many lines and bytes, but
 * always room for one. The sender fills it, the thread that reads the door's answers empties it.
 */
final class InFlightLines {
  /**
   * A line on its way.
   *
   * @param line its number in the file
   * @param bytes what is sent
   */
  record Sent(long line, byte[] bytes) {}

  private final int maxLines;
  private final long maxBytes;
  private final Deque<Sent> sent = new ArrayDeque<>();
  private long bytes;
  private long answeredOfConnection;
  private long answered;
  private long doneLine;
  private String lost = "";

  InFlightLines(int maxLines, long maxBytes) {
    this.maxLines = maxLines;
    this.maxBytes = maxBytes;
  }

  /** Adds a line if there is room for it. */
  synchronized boolean offer(Sent line) {
    if (isFull(line)) {
      return false;
    }
    sent.addLast(line);
    bytes += line.bytes.length;
    return true;
  }

  private boolean isFull(Sent line) {
    return !sent.isEmpty() && (sent.size() >= maxLines || bytes + line.bytes.length > maxBytes);
  }

  /** Waits for room for a line, but not longer than so; not at all once the connection is lost. */
  synchronized void awaitRoom(Sent line, long waitMs) throws InterruptedException {
    if (isFull(line) && lost.isEmpty()) {
      wait(waitMs);
    }
  }

  /** Waits for all answers, but not longer than so; not at all once the connection is lost. */
  synchronized void awaitEmpty(long waitMs) throws InterruptedException {
    if (!sent.isEmpty() && lost.isEmpty()) {
      wait(waitMs);
    }
  }

  /** The line of the file that was the n-th, from 1, on the present connection; 0 if unknown. */
  synchronized long fileLine(long lineOfConnection) {
    return sent.stream()
        .skip(Math.max(0, lineOfConnection - answeredOfConnection - 1))
        .findFirst()
        .map(Sent::line)
        .orElse(0L);
  }

  /** The line of the file that waits longest for its answer; 0 if none does. */
  synchronized long oldest() {
    return sent.isEmpty() ? 0 : sent.peekFirst().line;
  }

  /** The door has answered so many lines of the present connection, since its beginning. */
  synchronized void onAnswered(long linesOfConnection) {
    while (answeredOfConnection < linesOfConnection && !sent.isEmpty()) {
      Sent done = sent.removeFirst();
      bytes -= done.bytes.length;
      doneLine = done.line;
      answeredOfConnection++;
      answered++;
    }
    notifyAll();
  }

  /** The connection is no more. */
  synchronized void onLost(String why) {
    lost = why;
    notifyAll();
  }

  /** Why the connection was lost; empty while it was not. */
  synchronized String lost() {
    return lost;
  }

  /** Waits until it is known why the connection was lost, but not longer than so. */
  synchronized String awaitLost(long waitMs) throws InterruptedException {
    long deadline = System.nanoTime() + waitMs * 1_000_000;
    for (long left = waitMs; lost.isEmpty() && left > 0; ) {
      wait(left);
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
    return lost;
  }

  /** Begins a new connection: what has to be sent again. */
  synchronized List<Sent> beginConnection() {
    lost = "";
    answeredOfConnection = 0;
    return List.copyOf(sent);
  }

  /** How many lines were answered in all. */
  synchronized long answered() {
    return answered;
  }

  /** The last line of the file up to which all were answered; 0 for none yet. */
  synchronized long doneLine() {
    return doneLine;
  }
}
