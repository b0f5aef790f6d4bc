package io.galop.loadtest.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** All that was published: when it was sent for the first time, and when it was acknowledged. */
public final class PublishedRecords {
  /** One record of a publisher. */
  public static final class Entry {
    private final String id;
    private final String topic;
    private final long sentNs;
    private volatile long ackedNs;
    private volatile int attempts;
    private volatile boolean isGivenUp;

    Entry(String id, String topic, long sentNs) {
      this.id = id;
      this.topic = topic;
      this.sentNs = sentNs;
    }

    public String id() {
      return id;
    }

    String topic() {
      return topic;
    }

    /** When it was due for the first time. */
    public long sentNs() {
      return sentNs;
    }

    boolean isAcknowledged() {
      return ackedNs != 0;
    }

    public void acknowledge() {
      if (ackedNs == 0) {
        ackedNs = System.nanoTime();
      }
    }

    /** Nobody sends it any more. */
    void giveUp() {
      isGivenUp = true;
    }

    /** The line that doors take. */
    String line() {
      return "{\"topic\":\""
          + topic
          + "\",\"id\":\""
          + id
          + "\",\"data\":{\"key\":\""
          + id
          + "\"}}";
    }

    /** The payload that the mqtt door takes. */
    String envelope() {
      return "{\"id\":\"" + id + "\",\"data\":{\"key\":\"" + id + "\"}}";
    }

    /** It is sent, again perhaps. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Only its publisher counts.
    void attempt() {
      attempts++;
    }
  }

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final AtomicLong reconnects = new AtomicLong();
  private final List<String> refusals = new ArrayList<>();

  public Entry add(String id, String topic) {
    Entry entry = new Entry(id, topic, System.nanoTime());
    entries.put(id, entry);
    return entry;
  }

  public Collection<Entry> entries() {
    return entries.values();
  }

  /** How many are owed an acknowledgement. */
  public long unacknowledged() {
    return entries.values().stream()
        .filter(entry -> !entry.isAcknowledged() && !entry.isGivenUp)
        .count();
  }

  /** How many records were sent more than once. */
  public long repeated() {
    return entries.values().stream().filter(entry -> entry.attempts > 1).count();
  }

  /** A publisher had to come again. */
  void onReconnect() {
    reconnects.incrementAndGet();
  }

  long reconnects() {
    return reconnects.get();
  }

  /** A door said that it will never take a record, and there is nothing wrong with any. */
  synchronized void onRefused(String reason) {
    refusals.add(reason);
  }

  public synchronized List<String> refusals() {
    return List.copyOf(refusals);
  }
}
