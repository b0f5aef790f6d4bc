package io.galop.persist.sql;

import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Deletes what is older than is kept, by when it was stored, which is the order of the rows. */
public record TableTrim(SqlLink link, int retentionHours) {
  private static final int AT_ONCE = 5_000;

  /** Deletes some; whether there is more to delete. */
  public Future<Boolean> run(long nowMs) {
    if (retentionHours == 0) {
      return Future.succeededFuture(false);
    }
    long beforeUs = TimeUnit.MILLISECONDS.toMicros(nowMs - TimeUnit.HOURS.toMillis(retentionHours));
    return link.ask("SELECT stored_us, seq FROM galop_records ORDER BY seq LIMIT 1", List.of())
        .compose(
            rows ->
                rows.isEmpty() || (Long) rows.get(0)[0] >= beforeUs
                    ? Future.succeededFuture(false)
                    : delete(beforeUs, (Long) rows.get(0)[1]));
  }

  private Future<Boolean> delete(long beforeUs, long firstSeq) {
    return link.write(
            "DELETE FROM galop_records WHERE seq < ? AND stored_us < ?",
            List.of(firstSeq + AT_ONCE, beforeUs))
        .map(deleted -> deleted > 0);
  }
}
