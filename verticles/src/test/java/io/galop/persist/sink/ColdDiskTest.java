package io.galop.persist.sink;

import static io.galop.persist.sink.SinkFixture.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.Logged;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.persist.cold.SqliteStore;
import io.galop.persist.store.BlockingStoreAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the embedded store on a disk that is full, or under somebody who deletes it. */
@Timeout(180)
class ColdDiskTest {
  private static final String COUNT = "SELECT count(*) FROM records";
  @TempDir Path directory;

  private static Sink follow(SinkFixture fixture, SqliteStore sqlite) {
    return fixture.start(new BlockingStoreAdapter("embedded", sqlite, Driver.SYNC, 1, 1, 1));
  }

  @Test
  void storesAllThatWaitedWhenThereIsRoomAgain() throws Exception {
    try (SmallDisk disk = SmallDisk.orSkip(directory.resolve("disk"), 4);
        SinkFixture fixture = new SinkFixture(directory)) {
      ColdFile cold = ColdFile.in(disk.directory());
      try (SqliteStore sqlite = cold.open();
          Sink sink = follow(fixture, sqlite);
          Logged logged = new Logged(Sink.class)) {
        fixture.append("t", 1, 100);
        until(() -> sink.lagBytes() == 0);
        disk.fill();
        for (int i = 0; i < 20; i++) {
          fixture.append("t", 101 + 100 * i, 100);
        }
        until(() -> logged.with("disk is full").size() >= 3); // each attempt says why it fails
        assertTrue(fixture.count("retries") >= 3);
        assertTrue(sink.lagBytes() > 0, "the disk is full");
        disk.empty();
        until(() -> sink.lagBytes() == 0);
        assertEquals(2_100, cold.number(COUNT));
      }
    }
  }

  @Test
  void isMadeAgainAndFilledFromTheLogWhenItsFileIsDeleted() throws Exception {
    ColdFile cold = ColdFile.in(directory);
    try (SinkFixture fixture = new SinkFixture(directory);
        SqliteStore sqlite = cold.open();
        Sink sink = follow(fixture, sqlite);
        Logged logged = new Logged(SqliteStore.class)) {
      fixture.append("t", 1, 100);
      until(() -> sink.lagBytes() == 0);
      Files.delete(cold.path());
      until(() -> fixture.count("rewinds") == 1);
      assertEquals(1, logged.with("ERROR").size());
      fixture.append("t", 101, 100);
      until(() -> sink.lagBytes() == 0);
      assertEquals(200, cold.number(COUNT));
    }
  }
}
