package io.galop.ingest.intake;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.publisher.Publisher;
import io.galop.ingest.publisher.RecordSender;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What connections of one event loop have sent by half: bodies, lines, messages. Each counts as in
 * flight and has a time to become whole, so that nobody who has gone without a word holds room for
 * ever. While they hold more than half of the room those end early that nothing has come of for a
 * second, the largest first; while they hold more than all of it, the largest.
 */
public final class HalfSent {
  private static final long LOOK_MS = 250;
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Why something is ended that was sent by half. */
  public enum End {
    /** It has not become whole in its time. */
    LATE,
    /** Nothing came of it while there was no room for others. */
    IN_THE_WAY
  }

  /** What to do with something that is ended. */
  public interface OnEnd {
    void end(End why);
  }

  /** Something that has been begun to be sent. For the event loop of its door. */
  public final class Part {
    private final Counter ended;
    private final OnEnd onEnd;
    private final RecordSender sender;

    /** In whose room it is held. */
    private Publisher holder = Publisher.ANYONE;

    private long begunNanos;
    private long lastNanos;
    private long received;
    private long held;
    private boolean isOpen;

    private Part(RecordSender sender, Counter ended, OnEnd onEnd) {
      this.sender = sender;
      this.ended = ended;
      this.onEnd = onEnd;
    }

    /** It begins now, or another of the same connection does. */
    public void begin() {
      begunNanos = System.nanoTime();
      lastNanos = begunNanos;
      received = 0;
      if (!isOpen) {
        isOpen = true;
        open.add(this);
        look();
      }
    }

    /** Bytes of it have come, and it takes so many of memory now. */
    public void grow(long more, long holds) {
      lastNanos = System.nanoTime();
      received += more;
      hold(holds);
    }

    private void hold(long bytes) {
      Publisher now = sender.publisher();
      if (now != holder) {
        holdFor(holder, -held);
        holdFor(now, held);
        holder = now;
      }
      holdFor(holder, bytes - held);
      held = bytes;
    }

    /** In the room of all, or in the publisher's own. */
    private void holdFor(Publisher publisher, long more) {
      if (more != 0 && !publisher.hasOwnRoom()) {
        inFlight.holdHalf(more);
      } else if (more != 0) {
        publisher.room().holdHalf(more);
      }
    }

    /** Nobody reads it for now: it keeps what it holds, and its time stands still. */
    public void rest() {
      if (isOpen) {
        isOpen = false;
        open.remove(this);
      }
    }

    /** How much it takes of memory. */
    public long held() {
      return held;
    }

    /** It is whole, or given up. */
    public void done() {
      rest();
      hold(0);
    }

    private boolean isLate(long now) {
      long allowance = received * SECOND_NANOS / minBytesPerSecond;
      return now - lastNanos > timeoutNanos || now - begunNanos - allowance > timeoutNanos;
    }

    /** One that has room of its own is in nobody's way. */
    private boolean isSilent(long now) {
      return held > 0 && !holder.hasOwnRoom() && now - lastNanos > SILENT_NANOS;
    }

    private void end(End why) {
      if (isOpen) {
        ended.increment();
        onEnd.end(why);
        done();
      }
    }
  }

  private final Vertx vertx;
  private final InFlight inFlight;
  private final long timeoutNanos;
  private final long minBytesPerSecond;
  private final Set<Part> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean looking;

  public HalfSent(Vertx vertx, InFlight inFlight, IngestConfig config) {
    this.vertx = vertx;
    this.inFlight = inFlight;
    this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(config.receiveTimeoutMs());
    this.minBytesPerSecond = config.minReceiveBytesPerSecond();
  }

  /**
   * What a connection sends by half, one thing at a time.
   *
   * @param ended counts what was ended
   */
  public Part of(RecordSender sender, Counter ended, OnEnd onEnd) {
    return new Part(sender, ended, onEnd);
  }

  private void look() {
    if (!looking) {
      looking = true;
      vertx.setTimer(
          LOOK_MS,
          timer -> {
            looking = false;
            endSome();
            if (!open.isEmpty()) {
              look();
            }
          });
    }
  }

  private void endSome() {
    long now = System.nanoTime();
    for (Part part : List.copyOf(open)) {
      if (part.isLate(now)) {
        part.end(End.LATE);
      }
    }
    if (inFlight.isCrowded()) {
      List<Part> largest = new ArrayList<>(open);
      largest.sort(Comparator.comparingLong(Part::held).reversed());
      for (Part part : largest) {
        if (inFlight.isOverrun() && !part.holder.hasOwnRoom()
            || inFlight.isCrowded() && part.isSilent(now)) {
          part.end(End.IN_THE_WAY);
        }
      }
    }
  }
}
