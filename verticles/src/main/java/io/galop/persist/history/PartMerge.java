package io.galop.persist.history;

import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import io.galop.record.RecordCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes one part of an answer out of those of two sources: each record once, by its id. */
final class PartMerge {
  private final Order order;
  private final int limit;
  private final int maxBytes;

  PartMerge(Order order, int limit, int maxBytes) {
    this.order = order;
    this.limit = limit;
    this.maxBytes = maxBytes;
  }

  Part of(Part a, Part b) {
    Optional<ColdKey> end = earlier(a.upTo(), b.upTo());
    List<Placed> merged = new ArrayList<>();
    int i = 0;
    int j = 0;
    int bytes = 0;
    while (i < a.records().size() || j < b.records().size()) {
      int which = compare(a.records(), i, b.records(), j);
      Placed next = which <= 0 ? a.records().get(i) : b.records().get(j);
      if (end.isPresent() && order.compare(Order.key(next), end.get()) > 0) {
        return new Part(merged, end);
      }
      if (merged.size() == limit || bytes >= maxBytes) {
        return new Part(merged, Optional.of(Order.key(merged.get(merged.size() - 1))));
      }
      merged.add(next);
      bytes += RecordCodec.approximateBytes(next.record());
      i += which <= 0 ? 1 : 0;
      j += which >= 0 ? 1 : 0;
    }
    return new Part(merged, end);
  }

  private int compare(List<Placed> a, int i, List<Placed> b, int j) {
    if (i == a.size() || j == b.size()) {
      return i == a.size() ? 1 : -1;
    }
    return order.compare(Order.key(a.get(i)), Order.key(b.get(j)));
  }

  private Optional<ColdKey> earlier(Optional<ColdKey> a, Optional<ColdKey> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    return order.compare(a.get(), b.get()) <= 0 ? a : b;
  }
}
