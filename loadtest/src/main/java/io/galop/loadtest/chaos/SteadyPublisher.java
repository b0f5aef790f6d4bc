package io.galop.loadtest.chaos;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends records at a steady rate and sends each again, under the same id, until it is acknowledged,
 * to another door where one does not answer.
 */
public abstract class SteadyPublisher implements Runnable, AutoCloseable {
  /** A door that says nothing for so long while it owes an answer is given up. */
  static final int PATIENCE_MS = 6_000;

  /** Above what the rate makes while all doors are shut, and a bound all the same. */
  private static final int MOST_WAITING = 50_000;

  private static final long PAUSE_MS = 300;
  private static final long JOIN_MS = 5_000;

  private final PublishedRecords ledger;
  private final List<String> doors;
  private final String name;
  private final int topics;
  private final double perSecond;
  private final Thread thread;
  private final Deque<PublishedRecords.Entry> waiting = new ArrayDeque<>();
  private long startedNs;
  private long made;
  private int door;
  private volatile boolean isMaking = true;
  private volatile boolean isClosed;

  /**
   * @param doors where nodes take records; the first is tried first
   */
  SteadyPublisher(
      PublishedRecords ledger, String name, List<String> doors, int topics, double perSecond) {
    this.ledger = ledger;
    this.name = name;
    this.doors = List.copyOf(doors);
    this.topics = topics;
    this.perSecond = perSecond;
    this.thread = new Thread(this, name);
    thread.setDaemon(true);
  }

  public SteadyPublisher start() {
    startedNs = System.nanoTime();
    thread.start();
    return this;
  }

  /** No new records; what waits is still sent. */
  public void stopMaking() {
    isMaking = false;
  }

  PublishedRecords ledger() {
    return ledger;
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void run() {
    try {
      while (!isClosed) {
        try {
          publish(doors.get(door));
        } catch (IOException e) {
          ledger.onReconnect();
        }
        door = (door + 1) % doors.size();
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Publishes through one node until its door fails. */
  abstract void publish(String to) throws IOException, InterruptedException;

  /** What is due and was never sent. */
  List<PublishedRecords.Entry> due() {
    List<PublishedRecords.Entry> due = new ArrayList<>();
    long until = (long) ((System.nanoTime() - startedNs) / 1e9 * perSecond);
    while (isMaking && made < until && waiting.size() < MOST_WAITING) {
      PublishedRecords.Entry entry = ledger.add(name + "-" + made, topic(made));
      due.add(entry);
      waiting.add(entry);
      made++;
    }
    return due;
  }

  private String topic(long number) {
    return "chaos/" + number % topics;
  }

  /** All that is not acknowledged, the oldest first. */
  List<PublishedRecords.Entry> waiting() {
    waiting.removeIf(PublishedRecords.Entry::isAcknowledged);
    return new ArrayList<>(waiting);
  }

  @Override
  public void close() throws InterruptedException {
    isClosed = true;
    thread.interrupt();
    thread.join(JOIN_MS);
  }
}
