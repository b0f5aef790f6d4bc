package io.galop.enrich.lookup;

import java.util.ArrayList;
import java.util.List;

/** A key that is being asked for, and who waits for it. */
final class PendingRow {
  private final String key;
  private final List<Waiting> waiting = new ArrayList<>(1);

  PendingRow(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  void add(Waiting one) {
    waiting.add(one);
  }

  /** The answer has come: the row, or {@link Row#UNAVAILABLE}. */
  void settle(Row row) {
    waiting.forEach(each -> each.onRow(key, row));
    waiting.clear();
  }
}
