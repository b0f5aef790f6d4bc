package io.galop.broadcast.hub;

import io.galop.broadcast.write.ByteRate;
import java.util.Collection;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What all conflating registrations of one Subscriber share: how many topics may wait, how often
 * each may be sent, and how many bytes. On the Hub's event loop.
 */
final class ConflationLimits {
  private final int maxWaitingTopics;

  /** Null until something is conflated: most connections conflate nothing. */
  private @Nullable Budget topics;

  /** What the connection's token allows; null: any. */
  private @Nullable TopicPace pace;

  /** The least of what the token allows and the registrations ask for; null: any. */
  private @Nullable ByteRate bytes;

  /** Most bytes per second by the token; 0 is unlimited. */
  private long allowedBytes;

  ConflationLimits(int maxWaitingTopics) {
    this.maxWaitingTopics = maxWaitingTopics;
  }

  /**
   * No topic may be sent more often, and no more bytes, whatever is registered; before any
   * registration.
   *
   * @param maxRate most records of a topic per second; 0 is unlimited
   * @param maxBytesPerSecond 0 is unlimited
   */
  void limit(double maxRate, long maxBytesPerSecond) {
    pace = maxRate > 0 ? new TopicPace(maxRate, System.nanoTime()) : null;
    allowedBytes = maxBytesPerSecond;
    limitBytes(maxBytesPerSecond);
  }

  /** Whether only the newest value of each topic is to wait for a registration. */
  boolean conflates(Pacing pacing) {
    return pace != null || allowedBytes > 0 || pacing.isConflating();
  }

  /** Most bytes of records per second; 0 is unlimited. */
  long bytesPerSecond() {
    return bytes == null ? 0 : bytes.bytesPerSecond();
  }

  /** Those that ask for it have the least together, of which one asks for something else. */
  void follow(Collection<Registration> registrations, Registration changed) {
    if (bytesPerSecond() == 0 && changed.pacing().maxBytesPerSecond() == 0) {
      return;
    }
    LongStream asked = registrations.stream().mapToLong(each -> each.pacing().maxBytesPerSecond());
    long least =
        LongStream.concat(LongStream.of(allowedBytes), asked)
            .filter(limit -> limit > 0)
            .min()
            .orElse(0);
    limitBytes(least);
  }

  private void limitBytes(long perSecond) {
    long now = System.nanoTime();
    if (perSecond == 0) {
      bytes = null;
    } else if (bytes == null) {
      bytes = new ByteRate(perSecond, now);
    } else {
      bytes.change(perSecond, now);
    }
  }

  /** Whether the bytes of a registration are limited. */
  boolean isLimited(Registration registration) {
    return allowedBytes > 0 || registration.pacing().maxBytesPerSecond() > 0;
  }

  /** Whether bytes of a registration's records may be sent now. */
  boolean hasBytes(Registration registration, long nowNanos) {
    return bytes == null || !isLimited(registration) || bytes.isOpen(nowNanos);
  }

  /** So many bytes of a registration's records are sent. */
  void spend(Registration registration, long sent) {
    if (bytes != null && isLimited(registration)) {
      bytes.spend(sent);
    }
  }

  /** Prepares one more registration, before it gets records. */
  void begin(Registration registration) {
    if (conflates(registration.pacing())) {
      registration.conflate(newest(registration.pacing().maxRate()));
    }
  }

  /** What is to wait for one more registration. */
  Newest newest(double maxRate) {
    Budget shared = topics == null ? new Budget(maxWaitingTopics) : topics;
    topics = shared;
    return new Newest(maxRate, shared, pace);
  }
}
