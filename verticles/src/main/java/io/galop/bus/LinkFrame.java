package io.galop.bus;

import io.galop.cluster.Member;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message on a link; {@link LinkFrames} has the bytes of each. */
public sealed interface LinkFrame {
  /** The sender lives: sent all the time, whatever else is. */
  record Alive() implements LinkFrame {}

  /**
   * The first frame of each side.
   *
   * @param version of the frames
   * @param id of the sender, new at every start
   * @param name of the sender
   * @param shards how many shards it divides topics into
   * @param mayAsk whether the other side may ask; a relay is never asked
   * @param saysWants whether a relay would say what it wants; older versions do not read it
   * @param tellsPresence whether a relay tells how many viewers it has; older versions do not read
   *     it
   * @param takesDrills the same of whether it has viewers of drills
   */
  record Hello(
      int version,
      String id,
      String name,
      int shards,
      boolean mayAsk,
      boolean saysWants,
      boolean tellsPresence,
      boolean takesDrills)
      implements LinkFrame {
    /** Of one that is no relay, or one that says nothing of its viewers. */
    public Hello(int version, String id, String name, int shards, boolean mayAsk) {
      this(version, id, name, shards, mayAsk, false, false, false);
    }
  }

  /**
   * From a node that has dialled: who stores records, as it sees its cluster; and, without the role
   * of those, the relays by which it has its feed, if it is one itself.
   *
   * @param takesWants whether the relay may say what it wants; older versions never say so
   */
  record Members(List<Member> members, boolean takesWants) implements LinkFrame {
    public Members {
      members = List.copyOf(members);
    }

    /** To a relay that is sent everything. */
    public Members(List<Member> members) {
      this(members, false);
    }
  }

  /**
   * Asks.
   *
   * @param id the answer has the same
   */
  record Request(long id, Errand errand) implements LinkFrame {
    /** Whether it says what a relay wants, which makes what is sent less. */
    public boolean isWant() {
      return errand.kind() == Errand.Kind.WANT;
    }
  }

  /**
   * Answers.
   *
   * @param body null where a yes is all
   */
  record Answer(long id, @Nullable Object body) implements LinkFrame {}

  /** Answers that something was not taken. */
  record Refused(long id, Refusal refusal) implements LinkFrame {}

  /** Its bytes. */
  default Buffer toBuffer() {
    return LinkFrames.write(this);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if the bytes are none
   */
  static LinkFrame of(Buffer bytes) {
    return LinkFrames.read(bytes);
  }
}
