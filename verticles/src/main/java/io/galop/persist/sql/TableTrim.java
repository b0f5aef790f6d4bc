package io.galop.persist.sql;

import io.galop.persist.retention.StoredAhead;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Deletes what is older than is kept, by when it was stored, which is the order of the rows. Other
 * nodes store in the same table, so the database is asked for its time as well: what is too old by
 * one clock only stays.
 */
public final class TableTrim {
  private static final int AT_ONCE = 5_000;
  private static final long MOST_APART_MS = TimeUnit.MINUTES.toMillis(1);

  private final SqlLink link;
  private final int retentionHours;
  private final String oldest;
  private volatile Optional<String> warning = Optional.empty();

  /**
   * Of a table.
   *
   * @param retentionHours 0 for ever
   * @param nowMs what the database says for the milliseconds since 1970
   */
  public TableTrim(SqlLink link, int retentionHours, String nowMs) {
    this.link = link;
    this.retentionHours = retentionHours;
    this.oldest = "SELECT stored_us, seq, " + nowMs + " FROM galop_records ORDER BY seq LIMIT 1";
  }

  /** Deletes some; whether there is more to delete. */
  public Future<Boolean> run(LongUnaryOperator clock) {
    if (retentionHours == 0) {
      return Future.succeededFuture(false);
    }
    long keptMs = TimeUnit.HOURS.toMillis(retentionHours);
    long nowMs = clock.applyAsLong(keptMs);
    long askedMs = System.currentTimeMillis();
    return link.ask(oldest, List.of())
        .compose(
            rows -> {
              if (rows.isEmpty()) {
                warning = Optional.empty();
                return Future.succeededFuture(false);
              }
              long serverMs = (Long) rows.get(0)[2];
              warning = told((Long) rows.get(0)[0], serverMs, askedMs);
              long beforeUs = TimeUnit.MILLISECONDS.toMicros(Math.min(nowMs, serverMs) - keptMs);
              return (Long) rows.get(0)[0] >= beforeUs
                  ? Future.succeededFuture(false)
                  : delete(beforeUs, (Long) rows.get(0)[1]);
            });
  }

  private Future<Boolean> delete(long beforeUs, long firstSeq) {
    return link.write(
            "DELETE FROM galop_records WHERE seq < ? AND stored_us < ?",
            List.of(firstSeq + AT_ONCE, beforeUs))
        .map(deleted -> deleted > 0);
  }

  private static Optional<String> told(long firstUs, long serverMs, long askedMs) {
    long answeredMs = System.currentTimeMillis();
    String all =
        Stream.of(
                apart(serverMs, askedMs, answeredMs),
                StoredAhead.warning(firstUs, Math.max(serverMs, answeredMs)))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; and it "));
    return Optional.of(all).filter(text -> !text.isEmpty());
  }

  /** What to say of a server that answered with its time in between. */
  static Optional<String> apart(long serverMs, long askedMs, long answeredMs) {
    boolean isNear = serverMs >= askedMs - MOST_APART_MS && serverMs <= answeredMs + MOST_APART_MS;
    return isNear
        ? Optional.empty()
        : Optional.of(
            "has another clock than this node: it says "
                + second(serverMs)
                + ", the node "
                + second(answeredMs)
                + ", so old records are deleted by the one that is behind; set right the one that"
                + " is wrong");
  }

  private static Instant second(long ms) {
    return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS);
  }

  /** What there is to see to at the database. */
  public Optional<String> warning() {
    return warning;
  }
}
