package io.galop.persist.mysql;

import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableRows;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.ContextHop;
import io.galop.record.Placed;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers questions: one statement a page. */
record MysqlReads(SqlLink link, String name) {
  private static final long MOST_ROWS = 1_000;

  /** Behind a place, of rows that are not before it in time. */
  private static final String AFTER = " AND (time_us > ? OR id > ? OR id = ? AND topic > ?)";

  private static final String BEFORE = " AND (time_us < ? OR id < ? OR id = ? AND topic < ?)";

  Future<ColdPage> query(ColdQuery query) {
    List<Object> parameters = new ArrayList<>();
    long rows = Math.min(query.limit(), MOST_ROWS);
    return ContextHop.bring(
        link.read(sql(query, rows, parameters), parameters)
            .map(found -> page(query, rows, found))
            .recover(failure -> Future.failedFuture(TableRows.refusal(name, failure))));
  }

  private static String sql(ColdQuery query, long rows, List<Object> parameters) {
    String order = query.newestFirst() ? " DESC" : "";
    StringBuilder sql =
        new StringBuilder(
            "SELECT id, topic, time_us, data, shard, epoch, `offset` FROM galop_records WHERE ");
    String filter = query.filter().toString();
    if (query.filter().isExact()) {
      sql.append("topic = ?");
      parameters.add(filter);
    } else {
      sql.append("topic LIKE ?");
      parameters.add(TableRows.like(filter));
    }
    sql.append(" AND time_us BETWEEN ? AND ?");
    Optional<ColdKey> after = query.after();
    boolean up = !query.newestFirst();
    long afterUs = after.map(ColdKey::timeUs).orElse(0L);
    parameters.add(after.isPresent() && up ? Math.max(query.fromUs(), afterUs) : query.fromUs());
    parameters.add(after.isPresent() && !up ? Math.min(query.toUs(), afterUs) : query.toUs());
    if (after.isPresent()) {
      sql.append(up ? AFTER : BEFORE);
      parameters.add(afterUs);
      parameters.addAll(List.of(after.get().id(), after.get().id(), after.get().topic()));
    }
    sql.append(" ORDER BY time_us").append(order).append(", id").append(order);
    sql.append(", topic").append(order);
    return sql.append(" LIMIT ").append(rows).toString();
  }

  private static ColdPage page(ColdQuery query, long most, List<Object[]> rows) {
    List<Placed> records = new ArrayList<>();
    Optional<ColdKey> last = Optional.empty();
    long bytes = 0;
    for (Object[] row : rows) {
      if (bytes >= query.maxBytes()) {
        return new ColdPage(records, last);
      }
      Placed placed = TableRows.placed(row);
      last = Optional.of(ColdKey.of(placed.record()));
      if (query.filter().matches(placed.record().topic())) {
        records.add(placed);
        bytes += placed.record().data().length;
      }
    }
    return new ColdPage(records, rows.size() < most ? Optional.empty() : last);
  }
}
