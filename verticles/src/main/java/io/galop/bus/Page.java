package io.galop.bus;

import io.galop.record.Placed;
import io.galop.record.Position;
import java.util.Collection;
import java.util.List;

/**
 * A part of an answer with many records.
 *
 * @param complete whether nothing is missing between what was asked for and the first record; of
 *     the latest records, whether every topic is known
 * @param upTo everything asked for up to here is in this page or the ones before
 * @param next where to go on, opaque to the asker; empty if this page is the last
 * @param missing names of what could not be asked; the answer goes without it
 */
public record Page(
    boolean complete,
    Position upTo,
    String next,
    List<Placed> records,
    Collection<String> missing) {
  public Page {
    records = List.copyOf(records);
    missing = List.copyOf(missing);
  }

  /** The same, that goes on elsewhere. */
  public Page withNext(String another) {
    return new Page(complete, upTo, another, records, missing);
  }

  /** A page of an answer that asked everything there is. */
  public Page(boolean complete, Position upTo, String next, List<Placed> records) {
    this(complete, upTo, next, records, List.of());
  }
}
