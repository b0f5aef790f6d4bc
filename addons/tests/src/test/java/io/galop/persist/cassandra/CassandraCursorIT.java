package io.galop.persist.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.EmptiedException;
import io.galop.servers.CassandraServer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cursor on a real server whose rows are deleted with other clocks' timestamps. */
@Timeout(600)
class CassandraCursorIT {
  private static final String KEYSPACE = "clocks";
  private static final String TABLE = KEYSPACE + ".galop_cursor";
  private static final long LOG = 7;
  private static final LogPosition PLACE = new LogPosition(1, 100);

  @RegisterExtension static final CassandraServer CASSANDRA = new CassandraServer();

  private static void create() {
    CASSANDRA.administer(
        "CREATE KEYSPACE IF NOT EXISTS "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE IF NOT EXISTS "
            + TABLE
            + " (log text PRIMARY KEY, segment bigint, \"offset\" bigint, opened_us bigint)",
        "TRUNCATE " + TABLE);
  }

  private static void delete(String columns, long stampUs) {
    CASSANDRA.ask(
        "DELETE %s FROM %s USING TIMESTAMP %d WHERE log = '7'".formatted(columns, TABLE, stampUs));
  }

  private static long inAnHourUs() {
    return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + TimeUnit.HOURS.toMicros(1);
  }

  /** What it writes next would be hidden, and each look would have the store filled anew. */
  @Test
  void isThereAgainThoughAClockThatIsAheadHasDeletedIt() throws Exception {
    try (CqlSession session = CASSANDRA.connect(CassandraServer.USER, CassandraServer.PASSWORD)) {
      for (String columns : new String[] {"", "segment, \"offset\""}) {
        create();
        CassandraCursor cursor = new CassandraCursor(KEYSPACE);
        cursor.open(session, LOG);
        delete(columns, inAnHourUs());
        assertEquals(Optional.empty(), cursor.open(session, LOG));
        cursor.check(session, LOG);
        cursor.save(session, LOG, PLACE);
        cursor.check(session, LOG);
        assertEquals(Optional.of(PLACE), new CassandraCursor(KEYSPACE).open(session, LOG));
      }
    }
  }

  @Test
  void saysWhatToDoWhereNoClockComesBehindTheDeletion() throws Exception {
    create();
    try (CqlSession session = CASSANDRA.connect(CassandraServer.USER, CassandraServer.PASSWORD)) {
      CassandraCursor cursor = new CassandraCursor(KEYSPACE);
      cursor.open(session, LOG);
      delete("", Long.MAX_VALUE);
      assertThrows(EmptiedException.class, () -> cursor.check(session, LOG));
      String said =
          assertThrows(IllegalStateException.class, () -> cursor.open(session, LOG)).getMessage();
      assertTrue(said.contains("TRUNCATE clocks.galop_cursor"), said);
      CASSANDRA.administer("TRUNCATE " + TABLE);
      assertEquals(Optional.empty(), cursor.open(session, LOG));
      cursor.check(session, LOG);
    }
  }
}
