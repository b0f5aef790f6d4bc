package io.galop.bus;

import io.galop.record.Placed;
import io.galop.record.Position;
import java.util.List;

/**
 * A part of an answer with many records.
 *
 * @param complete whether nothing is missing between what was asked for and the first record
 * @param upTo everything asked for up to here is in this page or the ones before
 * @param next where to go on, opaque to the asker; empty if this page is the last
 */
public record Page(boolean complete, Position upTo, String next, List<Placed> records) {
  public Page {
    records = List.copyOf(records);
  }
}
