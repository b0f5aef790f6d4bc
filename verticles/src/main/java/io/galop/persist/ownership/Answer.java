package io.galop.persist.ownership;

import io.galop.bus.Sealed;
import io.galop.record.Position;
import java.util.Optional;

/**
 * What a node that stores said to a seal.
 *
 * @param id of its start
 * @param name kept over restarts
 * @param reply empty if it could not be asked
 */
public record Answer(String id, String name, Optional<Sealed> reply) {
  /** Its last durable Position, after which it places nothing. */
  public Position last() {
    return reply.map(Sealed::last).orElseThrow();
  }

  /** Whether it has placed records of which the next owner has to be told. */
  public boolean isHolder() {
    return reply.filter(Sealed::held).isPresent();
  }

  /** Whether it has heard of every epoch. */
  boolean isInformed() {
    return reply.filter(Sealed::isInformed).isPresent();
  }

  /** Whether it says that records may have been lost with another node's Log. */
  boolean isDoubting() {
    return reply.filter(Sealed::isDoubting).isPresent();
  }
}
