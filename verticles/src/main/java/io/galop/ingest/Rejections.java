package io.galop.ingest;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What was refused of one submission: all are counted, the first {@link #LISTED} are kept. */
final class Rejections {
  /** A sender that has so many refused has one mistake, not many; the list must stay bounded. */
  static final int LISTED = 1000;

  private final List<Rejection> listed = new ArrayList<>(0);
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
  private int count;

  void add(Rejection rejection) {
    count++;
    reasons.add(rejection.reason());
    if (listed.size() < LISTED) {
      listed.add(rejection);
    }
  }

  int count() {
    return count;
  }

  boolean has(Reason reason) {
    return reasons.contains(reason);
  }

  /** Those that are kept, by line. */
  List<Rejection> listed() {
    listed.sort(Comparator.comparingInt(Rejection::line));
    return listed;
  }

  /**
   * As {@code [{"line":k,"reason":"…","detail":"…"}]}.
   *
   * @param before how many lines the sender sent before the first of these
   */
  JsonArray toJson(long before) {
    JsonArray array = new JsonArray();
    for (Rejection rejection : listed()) {
      array.add(
          new JsonObject()
              .put("line", before + rejection.line())
              .put("reason", rejection.reason().word())
              .put("detail", rejection.detail()));
    }
    return array;
  }
}
