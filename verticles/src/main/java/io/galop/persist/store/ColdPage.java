package io.galop.persist.store;

import io.galop.record.Placed;
import java.util.List;
import java.util.Optional;

/**
 * A page of an answer.
 *
 * @param records in the order of the query; may be fewer than asked for, even none, although there
 *     is more
 * @param next where to go on; empty if this page is the last
 */
public record ColdPage(List<Placed> records, Optional<ColdKey> next) {
  public ColdPage {
    records = List.copyOf(records);
  }
}
