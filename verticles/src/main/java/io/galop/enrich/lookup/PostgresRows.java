package io.galop.enrich.lookup;

import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.LookupPostgresConfig;
import io.galop.store.PostgresSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
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
 * Rows of a table of PostgreSQL. The keys are one array, so that one statement does for any number
 * of them. They are cast to the type of the column, so that its index is used, and not the column
 * to theirs.
 */
final class PostgresRows implements RowStore {
  /** Every table, view and foreign table; the name is as in SQL, also with a schema before it. */
  private static final String TYPE =
      "SELECT quote_ident(n.nspname) || '.' || quote_ident(t.typname) FROM pg_attribute a"
          + " JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace n ON n.oid = t.typnamespace"
          + " WHERE a.attrelid = $1::text::regclass AND a.attname = $2 AND a.attnum > 0"
          + " AND NOT a.attisdropped";

  private static final String KEY = "galop_key";

  /** A text that is none of the column's type, or is outside its range. Others are the table's. */
  private static final Set<String> NOT_OF_THE_TYPE =
      Set.of("22001", "22003", "22007", "22008", "22021", "22P02", "22P03");

  private final Pool pool;
  private final String table;
  private final String keyColumn;

  /** Of one event loop; empty until the type of the key is known. */
  private String select = "";

  PostgresRows(Vertx vertx, PgConnectOptions options, LookupConfig config) {
    this.pool =
        PgBuilder.pool()
            .with(new PoolOptions().setMaxSize(config.cache().connections()))
            .connectingTo(options)
            .using(vertx)
            .build();
    this.table = quoted(config.table());
    this.keyColumn = config.keyColumnOr("id");
  }

  /** Blocking. */
  static PgConnectOptions options(LookupPostgresConfig config)
      throws IOException, GeneralSecurityException {
    return PostgresSettings.of(
        config.host(), config.port(), config.database(), config.login(), config.tls());
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"").replace(".", "\".\"") + '"';
  }

  @Override
  public Future<Void> check() {
    return statement().compose(sql -> run(sql, List.of())).mapEmpty();
  }

  private Future<String> statement() {
    if (!select.isEmpty()) {
      return Future.succeededFuture(select);
    }
    return pool.preparedQuery(TYPE)
        .execute(Tuple.of(table, keyColumn))
        .compose(
            found -> {
              if (found.size() == 0) {
                return Future.failedFuture("the table " + table + " has no column " + keyColumn);
              }
              select = select(found.iterator().next().getString(0));
              return Future.succeededFuture(select);
            });
  }

  /** The type has no length here: keys would be cut to it. */
  private String select(String type) {
    String key = "t." + '"' + keyColumn.replace("\"", "\"\"") + '"';
    return "SELECT t.*, %1$s::text AS %2$s FROM %3$s t WHERE %1$s = ANY($1::text[]::%4$s[])"
        .formatted(key, KEY, table, type);
  }

  private Future<RowSet<Row>> run(String sql, List<String> keys) {
    return pool.preparedQuery(sql).execute(Tuple.of(keys.toArray(String[]::new)));
  }

  @Override
  public Future<Map<String, String>> select(List<String> keys) {
    List<String> possible = keys.stream().filter(key -> key.indexOf('\0') < 0).toList();
    return statement()
        .compose(sql -> run(sql, possible))
        .map(this::rows)
        .recover(
            failure ->
                isAboutAKey(failure) ? selectHalves(possible) : Future.failedFuture(failure));
  }

  private static boolean isAboutAKey(Throwable failure) {
    return failure instanceof DatabaseException error
        && NOT_OF_THE_TYPE.contains(String.valueOf(error.getSqlState()));
  }

  /** Only the exact text of a key counts here, whatever the column's type takes for equal. */
  private Map<String, String> rows(RowSet<Row> found) {
    Map<String, String> rows = new HashMap<>();
    for (Row row : found) {
      JsonRow object = new JsonRow();
      int last = row.size() - 1;
      for (int i = 0; i < last; i++) {
        if (!row.getColumnName(i).equals(keyColumn)) {
          object.add(row.getColumnName(i), row.getValue(i));
        }
      }
      rows.put(row.getString(last), object.end());
    }
    return rows;
  }

  @Override
  public void close() {
    pool.close();
  }
}
