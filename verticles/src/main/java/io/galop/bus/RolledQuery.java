package io.galop.bus;

import java.util.List;

/**
 * Asks a node for rows of its roll-ups.
 *
 * @param query which topics and times; its limit is of rows
 * @param everyUs the length of a bucket: a part of an hour in whole minutes, or hours
 * @param fields whose values a row has, in their order
 */
public record RolledQuery(HistoryQuery query, long everyUs, List<String> fields) {
  public RolledQuery {
    fields = List.copyOf(fields);
  }
}
