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
   */
  record Hello(int version, String id, String name, int shards) implements LinkFrame {}

  /** From a node that has dialled: who stores records, as it sees its cluster. */
  record Members(List<Member> members) implements LinkFrame {
    public Members {
      members = List.copyOf(members);
    }
  }

  /**
   * Asks.
   *
   * @param id the answer has the same
   */
  record Request(long id, Errand errand) implements LinkFrame {}

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
