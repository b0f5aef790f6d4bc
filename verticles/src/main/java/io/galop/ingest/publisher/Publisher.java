package io.galop.ingest.publisher;

import io.galop.config.ingest.PublisherConfig;
import io.galop.ingest.parse.JsonText;
import io.galop.record.Reason;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One who publishes: what it may, what it has used of that, and what was counted. Shared by all its
 * connections to this node. What it may can change while it runs; what it has used then stays.
 */
public final class Publisher implements RecordSender {
  /** Letters of a topic in an answer. */
  private static final int SHOWN = 80;

  /** All who publish where nobody is asked: not limited and not counted by itself. */
  public static final Publisher ANYONE = new Publisher("", new SimpleMeterRegistry());

  private static final long MS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Who is over its quota is read again when half of what a second allows has flowed in. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String name;
  private final boolean isAnyone;
  private final boolean hasOwnRoom;
  private final Room room = new Room();
  private final Quota quota = new Quota(System.nanoTime());
  private final AtomicInteger connections = new AtomicInteger();
  private final PublisherMeters meters;

  /** Until when it is over its quota for all doors, however many connections it has. */
  private volatile long restsUntil = System.nanoTime();

  private volatile Topics topics = new Topics(List.of());
  private volatile Quota.Limits limits = new Quota.Limits(0, 0);

  Publisher(String name, MeterRegistry registry) {
    this.name = name;
    this.isAnyone = name.isEmpty();
    this.hasOwnRoom = !isAnyone && !name.equals(PublisherConfig.OF_TOKEN);
    this.meters = new PublisherMeters(registry, name);
    meters.gauge(
        "connections", "Connections of a publisher to the tcp and mqtt doors", connections::get);
    meters.gauge("in.flight.bytes", "Bytes of a publisher that are not acknowledged", room::bytes);
    meters.gauge("half.sent.bytes", "Bytes of a publisher that are not whole yet", room::half);
  }

  /**
   * From now on it may do what the configuration says.
   *
   * @param share what it may have in flight where the configuration does not say
   */
  void may(PublisherConfig config, long share) {
    topics = new Topics(config.topics());
    limits = new Quota.Limits(config.maxRecordsPerSecond(), config.maxBytesPerSecond());
    room.max(config.maxInFlightBytes() == 0 ? share : config.maxInFlightBytes());
  }

  /** It may publish no more. */
  void end() {
    meters.remove();
  }

  @Override
  public Publisher publisher() {
    return this;
  }

  @Override
  public boolean isKnown() {
    return true;
  }

  /** It is known without. */
  @Override
  public void greet(String token) {}

  /** The name in the configuration. */
  public String name() {
    return name;
  }

  /** Whether it is nobody in particular, so that nothing is limited. */
  public boolean isAnyone() {
    return isAnyone;
  }

  /**
   * Whether it has room of its own. Those who share a token are many: one of them that has vanished
   * must not take the room of the others, so theirs is that of all, where what is silent gives way.
   */
  public boolean hasOwnRoom() {
    return hasOwnRoom;
  }

  /** What it has in flight. */
  public Room room() {
    return room;
  }

  /** Whether it may publish to a topic that the node accepts. */
  public boolean mayPublish(String topic) {
    return isAnyone || topics.allow(topic);
  }

  /** What to say of a topic that it may not publish to. */
  public String notAllowed(String topic) {
    return "topic '%s' matches none of the topics of publisher '%s'; publish to another"
        .formatted(JsonText.shown(topic, SHOWN), name());
  }

  /** Takes what a record costs from the quota, or nothing and says so; null if it is taken. */
  public @Nullable OverQuota take(long recordBytes) {
    Quota.Limits now = limits;
    if (now.areNone()) {
      return null;
    }
    long nanos = System.nanoTime();
    long wait = quota.take(now, recordBytes, nanos);
    return wait == 0 ? null : over(now, nanos, wait);
  }

  /** Whether nothing more should be read of it now; null if it may go on. */
  public @Nullable OverQuota over() {
    if (isAnyone) {
      return null;
    }
    Quota.Limits now = limits;
    if (now.areNone()) {
      return null;
    }
    long nanos = System.nanoTime();
    long wait = quota.waitNanos(now, nanos);
    return wait == 0 && restsUntil - nanos <= 0 ? null : over(now, nanos, wait);
  }

  private OverQuota over(Quota.Limits now, long nanos, long waitNanos) {
    if (restsUntil - nanos <= 0) {
      restsUntil = nanos + waitNanos + REST_NANOS;
    }
    long ms = Math.max(restsUntil - nanos, waitNanos) / MS_NANOS + 1;
    String sentence =
        "publisher '%s' has used its quota (%s); send again in %d ms"
            .formatted(name, shown(now), ms);
    return new OverQuota(sentence, ms);
  }

  private static String shown(Quota.Limits limits) {
    String records = limits.maxRecordsPerSecond() + " records a second";
    String bytes = limits.maxBytesPerSecond() + " bytes a second";
    if (limits.maxBytesPerSecond() == 0) {
      return records;
    }
    return limits.maxRecordsPerSecond() == 0 ? bytes : records + ", " + bytes;
  }

  /** What to say where it has too much in flight. */
  public String full() {
    return "publisher '%s' has as many bytes in flight as it may, %d (its maxInFlightBytes);"
            .formatted(name, room.max())
        + " send again when some are acknowledged";
  }

  /** So many records, of so many bytes, have gone on. */
  public void accepted(int records, long bytes) {
    if (!isAnyone) {
      meters.accepted(records, bytes);
    }
  }

  /** A record was refused; what is wrong with it itself costs as much as one that is good. */
  public void rejected(Reason reason) {
    if (isAnyone) {
      return;
    }
    meters.rejected(reason);
    if (reason != Reason.OVER_QUOTA && reason != Reason.UNAVAILABLE) {
      Quota.Limits now = limits;
      quota.charge(now, System.nanoTime());
    }
  }

  /** A record was refused as over the quota of this publisher. */
  public void overQuota() {
    meters.overQuota();
  }

  /** It was refused, or is read no further for a while. */
  public void throttled() {
    if (!isAnyone) {
      meters.throttled();
    }
  }

  /** It has one connection more, or with -1 one fewer. */
  void connected(int more) {
    connections.addAndGet(more);
  }
}
