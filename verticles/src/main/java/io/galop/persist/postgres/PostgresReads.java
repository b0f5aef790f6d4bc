package io.galop.persist.postgres;

import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableRows;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.record.Placed;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers questions: one statement a page, which the server cuts by rows and by bytes. */
record PostgresReads(SqlLink link, String name) {
  private static final long MOST_ROWS = 1_000;

  Future<ColdPage> query(ColdQuery query) {
    List<Object> parameters = new ArrayList<>();
    long rows = Math.min(query.limit(), MOST_ROWS);
    return ContextHop.bring(
        link.read(sql(query, rows, parameters), parameters)
            .map(found -> page(query, rows, found))
            .recover(failure -> Future.failedFuture(refusal(failure))));
  }

  private Throwable refusal(Throwable failure) {
    return TableRows.refusal(name, PostgresErrors.told(failure));
  }

  /** The sum runs in the order of the index, so the server reads no row beyond the last. */
  private static String sql(ColdQuery query, long rows, List<Object> parameters) {
    String way = query.newestFirst() ? " DESC" : "";
    String order = " ORDER BY time_us" + way + ", id" + way + ", topic" + way;
    StringBuilder sql =
        new StringBuilder(
            "SELECT id, topic, time_us, data, shard, epoch, \"offset\" FROM (SELECT id, topic,"
                + " time_us, data, shard, epoch, \"offset\", octet_length(data) AS size,"
                + " sum(octet_length(data)) OVER (");
    sql.append(order.substring(1)).append(" ROWS UNBOUNDED PRECEDING) AS until");
    sql.append(" FROM galop_records WHERE ").append(topics(query.filter(), parameters));
    sql.append(" AND time_us BETWEEN ? AND ?");
    Optional<ColdKey> after = query.after();
    boolean up = !query.newestFirst();
    long afterUs = after.map(ColdKey::timeUs).orElse(0L);
    parameters.add(after.isPresent() && up ? Math.max(query.fromUs(), afterUs) : query.fromUs());
    parameters.add(after.isPresent() && !up ? Math.min(query.toUs(), afterUs) : query.toUs());
    if (after.isPresent()) {
      sql.append(" AND (time_us, id, topic) ").append(up ? '>' : '<').append(" (?, ?, ?)");
      parameters.addAll(List.of(afterUs, after.get().id(), after.get().topic()));
    }
    sql.append(order).append(" LIMIT ").append(rows).append(") AS page WHERE until - size < ?");
    parameters.add((long) query.maxBytes());
    return sql.append(order).toString();
  }

  /** A range beside LIKE, since a prepared LIKE does not use the index. */
  private static String topics(TopicFilter filter, List<Object> parameters) {
    String text = filter.toString();
    if (filter.isExact()) {
      parameters.add(text);
      return "topic = ?";
    }
    String like = TableRows.like(text);
    String prefix = prefix(text);
    parameters.add(like);
    if (prefix.isEmpty()) {
      return "topic LIKE ?";
    }
    parameters.addAll(List.of(prefix, behind(prefix)));
    return "topic LIKE ? AND topic >= ? AND topic < ?";
  }

  /** What each topic of the filter begins with: {@code a/#} means {@code a} too. */
  static String prefix(String filter) {
    int plus = filter.indexOf('+');
    int all = filter.indexOf('#');
    int until = plus >= 0 ? plus : all > 0 ? all - 1 : Math.max(0, all);
    return filter.substring(0, until);
  }

  /** The least text behind all that begin with the prefix, in the order of UTF-8. */
  static String behind(String prefix) {
    int last = prefix.codePointBefore(prefix.length());
    String before = prefix.substring(0, prefix.length() - Character.charCount(last));
    if (last == Character.MAX_CODE_POINT) {
      return prefix + Character.toString(Character.MAX_CODE_POINT).repeat(2);
    }
    int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
    return before + Character.toString(next);
  }

  private static ColdPage page(ColdQuery query, long most, List<Object[]> rows) {
    List<Placed> records = new ArrayList<>();
    Optional<ColdKey> last = Optional.empty();
    long bytes = 0;
    for (Object[] row : rows) {
      Placed placed = TableRows.placed(row);
      last = Optional.of(ColdKey.of(placed.record()));
      bytes += placed.record().data().length;
      if (query.filter().matches(placed.record().topic())) {
        records.add(placed);
      }
    }
    boolean isWhole = rows.size() < most && bytes < query.maxBytes();
    return new ColdPage(records, isWhole ? Optional.empty() : last);
  }
}
