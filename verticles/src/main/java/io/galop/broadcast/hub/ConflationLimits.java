package io.galop.broadcast.hub;

import io.galop.broadcast.write.ByteRate;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What all conflating registrations of one Subscriber share: how many topics may wait, how often
 * each may be sent, and how many bytes. The least holds of what they ask for, of the token and of
 * the node's caps. On the Hub's event loop.
 */
final class ConflationLimits {
  private final int maxWaitingTopics;

  /** Null until something is conflated: most connections conflate nothing. */
  private @Nullable Budget topics;

  /** What the connection's token allows; null: any. */
  private @Nullable TopicPace pace;

  /** The least of what the token allows and the registrations ask for; null: any. */
  private @Nullable ByteRate bytes;

  /** Most records of a topic per second by the token; 0 is unlimited. */
  private double allowedRate;

  /** Most bytes per second by the token; 0 is unlimited. */
  private long allowedBytes;

  /** Null while the node has none. */
  private @Nullable ViewerCaps caps;

  /** Whether something waits for bytes since the last round: what is new waits behind it. */
  private boolean isShortOfBytes;

  /** Whether the past is the first to have bytes in the next round: the present had the last. */
  private boolean isPastFirst;

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
    allowedRate = maxRate;
    allowedBytes = maxBytesPerSecond;
    limitBytes(maxBytesPerSecond);
  }

  /**
   * The node's caps are these from now on; those that hear words are told.
   *
   * @param registrations those of the connection
   * @return those for which that changes something
   */
  List<Registration> cap(Caps others, Collection<Registration> registrations) {
    if (caps == null && others.isEmpty()) {
      return List.of();
    }
    ViewerCaps own = caps == null ? new ViewerCaps() : caps;
    caps = own;
    List<Registration> changed = own.change(others, registrations);
    for (Registration each : changed) {
      follow(registrations, each);
      tell(each);
    }
    return changed;
  }

  /** Whether only the newest value of each topic is to wait for a registration. */
  boolean conflates(Registration registration) {
    return pace != null
        || allowedBytes > 0
        || registration.pacing().isConflating()
        || isCapped(registration);
  }

  private void tell(Registration registration) {
    registration.tell(ControlFrames.capped(registration.filter(), told(registration)));
  }

  /** Whether a cap of the node concerns a registration. */
  private boolean isCapped(Registration registration) {
    return caps != null && !caps.of(registration).isEmpty();
  }

  /** How often a registration may be sent each topic by the node's caps; null: any. */
  @Nullable CapPace capPace(Registration registration) {
    return caps == null ? null : caps.pace(registration);
  }

  /** What holds for a registration, as its viewer is told; empty if no cap concerns it. */
  JsonObject told(Registration registration) {
    return caps == null || !isCapped(registration)
        ? new JsonObject()
        : PaceInForce.of(
                registration.filter(),
                caps.of(registration),
                registration.pacing(),
                allowedRate,
                allowedBytes)
            .json();
  }

  /** Whether what one registration is sent may keep another one back. */
  boolean areShared() {
    return bytes != null || pace != null || caps != null;
  }

  /** Most bytes of records per second; 0 is unlimited. */
  long bytesPerSecond() {
    return bytes == null ? 0 : bytes.bytesPerSecond();
  }

  /** Those that have a limit have the least together, of which one has another now. */
  void follow(Collection<Registration> registrations, Registration changed) {
    if (bytesPerSecond() == 0 && ownBytes(changed) == 0) {
      return;
    }
    LongStream asked = registrations.stream().mapToLong(this::ownBytes);
    long least =
        LongStream.concat(LongStream.of(allowedBytes), asked)
            .filter(limit -> limit > 0)
            .min()
            .orElse(0);
    limitBytes(least);
  }

  /** The less of what a registration asks for and its caps; 0 is unlimited. */
  private long ownBytes(Registration registration) {
    long asked = registration.pacing().maxBytesPerSecond();
    long capped = caps == null ? 0 : caps.bytesPerSecond(registration);
    return asked == 0 || capped == 0 ? Math.max(asked, capped) : Math.min(asked, capped);
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
    return allowedBytes > 0 || ownBytes(registration) > 0;
  }

  /** Whether bytes of a registration's records may be sent now. */
  boolean hasBytes(Registration registration, long nowNanos) {
    return bytes == null || !isLimited(registration) || bytes.isOpen(nowNanos);
  }

  /**
   * Whether what is sent from before the present counts: a token limits it, no registration does.
   */
  boolean countsPast() {
    return allowedBytes > 0;
  }

  /** Whether bytes from before the present may be sent now. */
  boolean allowsPast(long nowNanos) {
    return !countsPast() || bytes == null || bytes.isOpen(nowNanos);
  }

  /** So many bytes of a registration's records are sent. */
  void spend(Registration registration, long sent) {
    if (bytes != null && isLimited(registration)) {
      bytes.spend(sent);
      isPastFirst = true;
    }
  }

  /** So many bytes from before the present are sent. */
  void spendPast(long sent) {
    if (countsPast() && bytes != null) {
      bytes.spend(sent);
      isPastFirst = false;
    }
  }

  /** All that waits for bytes is tried again. */
  void beginRound() {
    isShortOfBytes = false;
  }

  /** Something waits for bytes. */
  void refuse() {
    isShortOfBytes = true;
  }

  boolean isShortOfBytes() {
    return isShortOfBytes;
  }

  /**
   * Whether the past comes first. Where it has a share of the bytes, past and present have them in
   * turn, counted by what is sent: turns that are counted by rounds could keep step with the pace
   * at which bytes come, and starve the other.
   */
  boolean isPastFirst() {
    return !countsPast() || isPastFirst;
  }

  /** Prepares one more registration, before it gets records. */
  void begin(Registration registration) {
    if (caps != null) {
      caps.begin(registration);
    }
    if (isCapped(registration)) {
      tell(registration);
    }
    if (conflates(registration)) {
      registration.conflate(newest(registration));
    }
  }

  /** A registration has ended. */
  void end(Collection<Registration> others, Registration registration) {
    follow(others, registration);
    if (caps != null) {
      caps.end(registration);
    }
  }

  /** What is to wait for one more registration. */
  Newest newest(Registration registration) {
    Budget shared = topics == null ? new Budget(maxWaitingTopics) : topics;
    topics = shared;
    return new Newest(registration.pacing().maxRate(), shared, pace, capPace(registration));
  }
}
