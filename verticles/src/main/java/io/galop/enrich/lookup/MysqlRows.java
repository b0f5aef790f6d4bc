package io.galop.enrich.lookup;

import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.LookupMysqlConfig;
import io.galop.store.MysqlSettings;
import io.galop.vertx.SqlSessions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.sqlclient.DatabaseException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rows of a table of MySQL or MariaDB. The number of placeholders is rounded up to a power of two,
 * the last key repeated, so that few statements are ever prepared.
 */
final class MysqlRows implements RowStore {
  /** Character sets that cannot be compared, texts that are none in the column's. */
  private static final Set<Integer> ABOUT_A_KEY = Set.of(1267, 1270, 1271, 1300, 1366, 3988);

  private final Pool pool;
  private final String keyColumn;
  private final String select;

  MysqlRows(Vertx vertx, MySQLConnectOptions options, LookupConfig config) {
    this.pool =
        MySQLBuilder.pool()
            .with(new PoolOptions().setMaxSize(config.cache().connections()))
            .connectingTo(options)
            .withConnectHandler(
                session ->
                    SqlSessions.settle(
                        "the table " + config.table(),
                        session,
                        session.query(MysqlSettings.NAMES).execute()))
            .using(vertx)
            .build();
    this.keyColumn = config.keyColumnOr("id");
    this.select =
        "SELECT * FROM " + quoted(config.table()) + " WHERE " + quoted(keyColumn) + " IN (?";
  }

  /** Blocking. */
  static MySQLConnectOptions options(LookupMysqlConfig config)
      throws IOException, GeneralSecurityException {
    return MysqlSettings.of(
        config.host(), config.port(), config.database(), config.login(), config.tls());
  }

  private static String quoted(String name) {
    return '`' + name.replace("`", "``").replace(".", "`.`") + '`';
  }

  @Override
  public Future<Void> check() {
    return pool.preparedQuery(select + ")").execute(Tuple.of((Object) null)).mapEmpty();
  }

  @Override
  public Future<Map<String, String>> select(List<String> keys) {
    int places = Integer.highestOneBit(Math.max(1, 2 * keys.size() - 1));
    Tuple filled = Tuple.tuple();
    for (int i = 0; i < places; i++) {
      filled.addString(keys.get(Math.min(i, keys.size() - 1)));
    }
    return pool.preparedQuery(select + ",?".repeat(places - 1) + ")")
        .execute(filled)
        .map(this::rows)
        .recover(
            failure -> isAboutAKey(failure) ? selectHalves(keys) : Future.failedFuture(failure));
  }

  private static boolean isAboutAKey(Throwable failure) {
    return failure instanceof DatabaseException error && ABOUT_A_KEY.contains(error.getErrorCode());
  }

  /** The key is compared as the column's type and collation do; only the exact text counts here. */
  private Map<String, String> rows(RowSet<Row> found) {
    Map<String, String> rows = new HashMap<>();
    for (Row row : found) {
      JsonRow object = new JsonRow();
      String key = "";
      for (int i = 0; i < row.size(); i++) {
        if (row.getColumnName(i).equalsIgnoreCase(keyColumn)) {
          key = String.valueOf(row.getValue(i));
        } else {
          object.add(row.getColumnName(i), row.getValue(i));
        }
      }
      rows.put(key, object.end());
    }
    return rows;
  }

  @Override
  public void close() {
    pool.close();
  }
}
