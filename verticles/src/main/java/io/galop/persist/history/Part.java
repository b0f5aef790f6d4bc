package io.galop.persist.history;

import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import java.util.List;
import java.util.Optional;

/**
 * What one source knows of an answer.
 *
 * @param records in the order of the answer
 * @param upTo the source has said everything up to this place and may have more behind it; empty if
 *     it has said everything
 */
record Part(List<Placed> records, Optional<ColdKey> upTo) {
  Part {
    records = List.copyOf(records);
  }
}
