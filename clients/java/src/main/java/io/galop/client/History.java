package io.galop.client;

import java.util.List;

/**
 * An answer about the past.
 *
 * @param incomplete what did not answer: nodes, and stores as {@code node/store}; empty if the
 *     records are all there are
 */
public record History(List<FeedRecord> records, String incomplete) {
  public History {
    records = List.copyOf(records);
  }
}
