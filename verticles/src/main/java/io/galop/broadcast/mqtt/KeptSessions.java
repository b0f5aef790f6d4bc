package io.galop.broadcast.mqtt;

import io.galop.broadcast.packet.PublishPacket;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The viewers of a node that come by MQTT, by client id: which connection each has, and the
 * sessions of those that have gone and may come back. In the memory of this node only. Safe to call
 * from any thread.
 */
public final class KeptSessions implements MqttTransport.PassedOver {
  private static final Logger LOG = LoggerFactory.getLogger(KeptSessions.class);

  /** So many filters and Positions a session may have, if all of them are as large. */
  private static final long WEIGHT_OF_EACH = 100;

  private record Kept(ViewerSession session, int weight, long untilNanos) {
    boolean isOver() {
      return untilNanos - System.nanoTime() <= 0;
    }
  }

  /**
   * A client's newest connection.
   *
   * @param before succeeds when nothing is left of those before it
   */
  private record Place(Supplier<Future<Void>> giveWay, Future<Void> before) {}

  private final int most;
  private final Map<String, Place> connected = new HashMap<>();

  /** In the order in which they were left. */
  private final Map<String, Kept> left = new LinkedHashMap<>();

  private final Counter forgotten;
  private final Counter tooLarge;
  private final Counter notTaken;
  private final AtomicBoolean isNotTakenTold = new AtomicBoolean();
  private long weight;

  /**
   * @param most how many sessions are kept of clients that have gone; fewer if they are large
   */
  public KeptSessions(int most, MeterRegistry meters) {
    this.most = most;
    this.forgotten =
        Counter.builder("galop.broadcast.mqtt.sessions.forgotten")
            .description("Sessions of MQTT viewers that were forgotten early for lack of room")
            .register(meters);
    this.tooLarge =
        Counter.builder("galop.broadcast.mqtt.too.large")
            .description("Messages passed over, as they are larger than their MQTT viewer takes")
            .register(meters);
    this.notTaken =
        Counter.builder("galop.broadcast.mqtt.not.taken")
            .description(
                "Messages passed over, as MQTT viewers end the connection at their topic or id")
            .register(meters);
    Gauge.builder("galop.broadcast.mqtt.sessions", this, KeptSessions::size)
        .description("Sessions of MQTT viewers that have gone")
        .register(meters);
  }

  /** From any thread. */
  @Override
  public void tooLarge() {
    tooLarge.increment();
  }

  /** From any thread. */
  @Override
  public void notTaken(PublishPacket packet) {
    notTaken.increment();
    if (isNotTakenTold.compareAndSet(false, true)) {
      LOG.warn(
          "viewers of MQTT are not sent a record on the topic '{}', nor others of the kind: the"
              + " topic or id holds a control character or noncharacter, at which clients of MQTT"
              + " end the connection. Other viewers get it, and doors take no more of them;"
              + " galop.broadcast.mqtt.not.taken counts",
          packet.shownTopic());
    }
  }

  synchronized int size() {
    return left.size();
  }

  /**
   * A client has come.
   *
   * @param giveWay ends its connection if it comes again, and succeeds when that has left
   * @return succeeds when nothing is left of its connections before, of which there may be several:
   *     one that waited itself gives way at once
   */
  Future<Void> enter(String id, Supplier<Future<Void>> giveWay) {
    Promise<Void> free = Promise.promise();
    Place before;
    synchronized (this) {
      before = connected.put(id, new Place(giveWay, free.future()));
    }
    if (before == null) {
      free.complete();
    } else {
      before.giveWay.get().eventually(() -> before.before).onComplete(free);
    }
    return free.future();
  }

  /** The session that a client left, if it is still known; nobody else gets it. */
  synchronized Optional<ViewerSession> resume(String id) {
    Kept kept = left.remove(id);
    weight -= kept == null ? 0 : kept.weight;
    return kept == null || kept.isOver() ? Optional.empty() : Optional.of(kept.session);
  }

  /** One that has gone while it waited keeps its place until those before it are gone, too. */
  private synchronized void free(String id, Supplier<Future<Void>> connection) {
    Place place = connected.get(id);
    if (place == null || place.giveWay != connection) {
      return;
    }
    if (place.before.isComplete()) {
      connected.remove(id);
    } else {
      place.before.onComplete(gone -> free(id, connection));
    }
  }

  /** A connection has ended; its session is kept for so long. */
  synchronized void leave(
      String id, Supplier<Future<Void>> connection, ViewerSession session, long keepSeconds) {
    free(id, connection);
    if (keepSeconds <= 0 || session.isEmpty()) {
      return;
    }
    resume(id);
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(keepSeconds);
    Kept last = new Kept(session, session.weight(), until);
    left.put(id, last);
    weight += last.weight;
    makeRoom();
  }

  /** What is over goes first, as far as it was left first. */
  private void makeRoom() {
    Iterator<Kept> oldest = left.values().iterator();
    while (oldest.hasNext()) {
      Kept next = oldest.next();
      boolean isOver = next.isOver();
      if (!isOver && left.size() <= most && weight <= WEIGHT_OF_EACH * most) {
        return;
      }
      oldest.remove();
      weight -= next.weight;
      forgotten.increment(isOver ? 0 : 1);
    }
  }
}
