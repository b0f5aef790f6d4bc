package io.galop.loadtest.chaos;

import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Whether all works: records for every shard are published through each of some doors,
 * acknowledged, and shown both to viewers that stay and to one that has just come. Records of one
 * attempt may fall into a gap that viewers are told of, so that they are never shown: every few
 * seconds there is another attempt, and the first that is complete counts.
 */
public final class Probe implements AutoCloseable {
  /** So many topics that each of 16 shards has one, but for once in 250 probes. */
  private static final int TOPICS = 128;

  private static final long PAUSE_MS = 200;
  private static final long ATTEMPT_MS = 4_000;
  private static final int MOST_SENT = 3;

  private final HttpPublishing http;
  private final PublishedRecords ledger;
  private final String name;
  private final List<List<String>> doors;
  private final List<Journal> journals;
  private final List<ChaosViewer> fresh = new ArrayList<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final long startedNs = System.nanoTime();

  /** Records for each group of doors. */
  private final class Attempt {
    private final long bornNs = System.nanoTime();
    private final List<List<PublishedRecords.Entry>> records = new ArrayList<>();
    private int turn;

    Attempt(int number) {
      for (int door = 0; door < doors.size(); door++) {
        List<PublishedRecords.Entry> entries = new ArrayList<>();
        for (int i = 0; i < TOPICS; i++) {
          String id = name + "-" + number + "-" + door + "-" + i;
          entries.add(ledger.add(id, "chaos/probe/" + door + "/" + i));
        }
        records.add(entries);
      }
    }

    private void publish() throws InterruptedException {
      for (int door = 0; door < doors.size(); door++) {
        List<PublishedRecords.Entry> waiting = waiting(records.get(door));
        List<String> either = doors.get(door);
        if (!waiting.isEmpty()) {
          try {
            http.send(either.get(turn % either.size()), waiting);
          } catch (IOException e) {
            // The next door is asked, or this one again.
          }
        }
      }
      turn++;
    }

    private List<PublishedRecords.Entry> all() {
      return records.stream().flatMap(List::stream).toList();
    }

    private long lacking(Journal journal) {
      return all().stream().filter(record -> !journal.hasShown(record.id())).count();
    }

    private boolean isDone() {
      return !doors.isEmpty()
          && waiting(all()).isEmpty()
          && journals.stream().allMatch(journal -> lacking(journal) == 0);
    }

    private boolean isOld() {
      return System.nanoTime() - bornNs > TimeUnit.MILLISECONDS.toNanos(ATTEMPT_MS);
    }
  }

  /**
   * @param doors groups of doors: of each group one has to take its records
   * @param fronts of the nodes that show records
   * @param staying of viewers that are there already
   */
  public Probe(
      HttpClient client,
      PublishedRecords ledger,
      String name,
      List<List<String>> doors,
      List<String> fronts,
      List<Journal> staying) {
    this.http = new HttpPublishing(client, ledger);
    this.ledger = ledger;
    this.name = name;
    this.doors = doors;
    this.journals = new ArrayList<>(staying);
    for (String front : fronts) {
      ChaosViewer.Carrier carrier = ChaosViewer.Carrier.WEBSOCKET;
      ChaosViewer viewer =
          new ChaosViewer(client, name + " fresh", carrier, List.of(front), true, 0).start();
      fresh.add(viewer);
      journals.add(viewer.journal());
    }
  }

  /** Tries for so long; returns after how many milliseconds all was well, -1 if it was not. */
  public long run(long seconds) throws InterruptedException {
    long deadlineNs = startedNs + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < deadlineNs) {
      if (attempts.isEmpty() || attempts.get(attempts.size() - 1).isOld()) {
        attempts.add(new Attempt(attempts.size()));
      }
      for (Attempt attempt :
          attempts.subList(Math.max(0, attempts.size() - MOST_SENT), attempts.size())) {
        attempt.publish();
      }
      if (attempts.stream().anyMatch(Attempt::isDone)) {
        return passedMs();
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
    return -1;
  }

  /** Since it began. */
  public long passedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNs);
  }

  private static List<PublishedRecords.Entry> waiting(List<PublishedRecords.Entry> of) {
    return of.stream().filter(record -> !record.isAcknowledged()).toList();
  }

  /** What is missing of the last attempt, in words; empty if one was complete. */
  public String missing() {
    if (attempts.stream().anyMatch(Attempt::isDone)) {
      return "";
    }
    Attempt last = attempts.get(attempts.size() - 1);
    List<String> words = new ArrayList<>();
    for (int door = 0; door < doors.size(); door++) {
      int waiting = waiting(last.records.get(door)).size();
      if (waiting > 0) {
        words.add(waiting + " not acknowledged by " + doors.get(door));
      }
    }
    for (Journal journal : journals) {
      long lacks = last.lacking(journal);
      if (lacks > 0) {
        words.add(journal.viewer() + " was not shown " + lacks + ", last told " + journal.last());
      }
    }
    return String.join("; ", words);
  }

  @Override
  public void close() throws InterruptedException {
    attempts.forEach(attempt -> waiting(attempt.all()).forEach(PublishedRecords.Entry::giveUp));
    for (ChaosViewer viewer : fresh) {
      viewer.close();
    }
  }
}
