package io.galop.persist.cold;

import io.galop.config.FileFault;
import io.galop.jvm.ErrorText;
import io.galop.scratch.ProcessDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Where the driver puts SQLite itself, a megabyte that it takes out of its jar at each start. Left
 * to itself it would stay in the system's temporary directory whenever a node is killed.
 */
public final class SqliteLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);
  private static final String KEY = "org.sqlite.tmpdir";

  /** More than the library takes. */
  private static final int ROOM_BYTES = 2 << 20;

  private static boolean isLoaded;

  private SqliteLibrary() {}

  /**
   * To be called before the driver is used.
   *
   * @throws SQLException with what is wrong with the directory, of which the driver says nothing
   */
  public static synchronized void load() throws SQLException {
    if (isLoaded) {
      return;
    }
    place();
    try {
      SQLiteJDBCLoader.initialize();
      isLoaded = true;
    } catch (Exception e) {
      String directory = System.getProperty(KEY, System.getProperty("java.io.tmpdir"));
      throw new SQLException(fault(Path.of(directory), e), e);
    }
  }

  /** Where somebody has said where, it stays there. */
  private static void place() {
    if (System.getProperty(KEY) != null) {
      return;
    }
    try {
      System.setProperty(KEY, ProcessDirectory.path().toString());
    } catch (IOException e) {
      LOG.debug("no directory for SQLite's library, so the driver chooses one: {}", e.toString());
    }
  }

  /** Why the library of a directory cannot be loaded, and what to do: tries what it takes. */
  static String fault(Path directory, Throwable ofDriver) {
    String elsewhere = "or name another directory with -Djava.io.tmpdir=DIRECTORY";
    try {
      Path tried = Files.createTempFile(directory, "room", "");
      try {
        Files.write(tried, new byte[ROOM_BYTES]);
      } finally {
        Files.delete(tried);
      }
    } catch (IOException e) {
      return "SQLite's library cannot be unpacked into %s (%s); have it writable with 2 MB free, %s"
          .formatted(directory, FileFault.of(e), elsewhere);
    }
    // The driver does not say why: what keeps it is logged by it, and switched off.
    return "SQLite's library cannot be loaded from %s (%s); if that is mounted noexec, mount it without, %s"
        .formatted(directory, ErrorText.of(ofDriver), elsewhere);
  }
}
