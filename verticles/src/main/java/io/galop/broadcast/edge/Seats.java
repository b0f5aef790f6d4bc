package io.galop.broadcast.edge;

import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.broadcast.ViewerLimitsConfig;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How many viewers there are on this node, and from where. Safe to call from any thread. */
final class Seats {
  /** The node has as many connections as it allows. */
  static final String FULL = "full";

  /** The same for an address. */
  static final String ADDRESS_FULL = "address_full";

  /** Too many connect from an address at once. */
  static final String TOO_FAST = "too_fast";

  private static final int COME_AGAIN_SECONDS = 5;
  private static final int TAKES_BETWEEN_SWEEPS = 1024;

  private final int max;
  private volatile ViewerLimitsConfig limits;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger registered = new AtomicInteger();
  private final AtomicInteger takes = new AtomicInteger();
  private final Map<String, Place> places = new ConcurrentHashMap<>();

  Seats(BroadcastConfig config) {
    this.max = config.maxConnections();
    this.limits = config.limits();
  }

  /** Those who are there stay, also beyond the new limits. */
  void limit(ViewerLimitsConfig next) {
    limits = next;
  }

  /** What one address has; changed only while the map holds its entry. */
  private static final class Place {
    private int viewers;
    private int registrations;
    private double mayEnter;
    private long lastNanos;
  }

  /** A viewer from an address wants to come in. */
  Optional<EdgeRefusal> take(String address) {
    if (taken.incrementAndGet() > max) {
      taken.decrementAndGet();
      return refuse(503, FULL, "this node has as many connections as it allows");
    }
    Optional<EdgeRefusal> refusal = takeAt(address);
    refusal.ifPresent(why -> taken.decrementAndGet());
    return refusal;
  }

  private Optional<EdgeRefusal> takeAt(String address) {
    if (limits.connectionsPerAddress() == 0 && limits.newPerSecondPerAddress() == 0) {
      return Optional.empty();
    }
    sweepSometimes();
    String[] reason = {""};
    places.compute(
        address,
        (key, place) -> {
          Place known = place == null ? fresh() : place;
          reason[0] = take(known);
          return known;
        });
    return switch (reason[0]) {
      case "" -> Optional.empty();
      case TOO_FAST -> refuse(429, reason[0], "too many connect from this address at once");
      default -> refuse(429, reason[0], "this address has as many connections as it may have");
    };
  }

  private Place fresh() {
    Place place = new Place();
    place.mayEnter = limits.newPerSecondPerAddress();
    place.lastNanos = System.nanoTime();
    return place;
  }

  /** A bucket that holds a second's worth and is filled again over a second. */
  private String take(Place place) {
    int rate = limits.newPerSecondPerAddress();
    long now = System.nanoTime();
    double seconds = (now - place.lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    place.mayEnter = Math.min(rate, place.mayEnter + seconds * rate);
    place.lastNanos = now;
    if (rate > 0 && place.mayEnter < 1) {
      return TOO_FAST;
    }
    int most = limits.connectionsPerAddress();
    if (most > 0 && place.viewers >= most) {
      return ADDRESS_FULL;
    }
    place.mayEnter--;
    place.viewers++;
    return "";
  }

  private static Optional<EdgeRefusal> refuse(int status, String reason, String message) {
    return Optional.of(
        new EdgeRefusal(status, reason, message + "; come back later", COME_AGAIN_SECONDS));
  }

  /** A viewer has gone. */
  void giveBack(String address) {
    taken.decrementAndGet();
    places.computeIfPresent(
        address,
        (key, place) -> {
          place.viewers = Math.max(0, place.viewers - 1);
          return isIdle(place) ? null : place;
        });
  }

  /**
   * A viewer wants to register a filter.
   *
   * @return what limit forbids it; empty: it may
   */
  String register(String address) {
    int most = limits.registrations();
    if (registered.incrementAndGet() > most && most > 0) {
      registered.decrementAndGet();
      return "broadcast.limits.registrations";
    }
    if (limits.registrationsPerAddress() == 0) {
      return "";
    }
    boolean[] isRefused = {false};
    places.compute(
        address,
        (key, place) -> {
          Place known = place == null ? fresh() : place;
          isRefused[0] = known.registrations >= limits.registrationsPerAddress();
          known.registrations += isRefused[0] ? 0 : 1;
          return known;
        });
    if (isRefused[0]) {
      registered.decrementAndGet();
      return "broadcast.limits.registrationsPerAddress";
    }
    return "";
  }

  /** So many filters of a viewer are no longer registered. */
  void unregister(String address, int count) {
    registered.addAndGet(-count);
    places.computeIfPresent(
        address,
        (key, place) -> {
          place.registrations = Math.max(0, place.registrations - count);
          return isIdle(place) ? null : place;
        });
  }

  int registered() {
    return registered.get();
  }

  /** Forgets addresses that have nothing; those with a bucket only once it is full again. */
  private void sweepSometimes() {
    if (takes.incrementAndGet() % TAKES_BETWEEN_SWEEPS == 0) {
      for (String address : places.keySet()) {
        places.computeIfPresent(address, (key, place) -> isIdle(place) ? null : place);
      }
    }
  }

  private boolean isIdle(Place place) {
    boolean isFull =
        limits.newPerSecondPerAddress() == 0
            || System.nanoTime() - place.lastNanos > TimeUnit.SECONDS.toNanos(1);
    return place.viewers == 0 && place.registrations == 0 && isFull;
  }
}
