package io.galop.ingest.intake;

import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What was refused of one submission: all are counted, the first ones kept. */
public class Rejections {
  /** A sender that has so many refused has one mistake, not many; the list must stay bounded. */
  public static final int LISTED = 1000;

  private final List<Rejection> listed = new ArrayList<>(0);
  private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);
  private final int most;
  private int count;

  /** Keeps the first {@link #LISTED}. */
  public Rejections() {
    this(LISTED);
  }

  /** Keeps the first {@code most}. */
  public Rejections(int most) {
    this.most = most;
  }

  /** One more, of any line. */
  public final void add(Rejection rejection) {
    count++;
    reasons.add(rejection.reason());
    keep(rejection);
  }

  /** Keeps it if there is room. */
  void keep(Rejection rejection) {
    if (listed.size() < most) {
      listed.add(rejection);
    }
  }

  public final int count() {
    return count;
  }

  public final boolean has(Reason reason) {
    return reasons.contains(reason);
  }

  /** Those that are kept, by line. */
  public List<Rejection> listed() {
    listed.sort(Comparator.comparingInt(Rejection::line));
    return listed;
  }

  /** As {@code [{"line":k,"reason":"…","detail":"…"}]}. */
  public JsonArray toJson() {
    JsonArray array = new JsonArray();
    listed().forEach(rejection -> array.add(toJson(rejection.line(), rejection)));
    return array;
  }

  /** One as {@code {"line":k,"reason":"…","detail":"…"}}. */
  public static JsonObject toJson(long line, Rejection rejection) {
    return new JsonObject()
        .put("line", line)
        .put("reason", rejection.reason().word())
        .put("detail", rejection.detail());
  }
}
