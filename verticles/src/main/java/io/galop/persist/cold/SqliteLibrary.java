package io.galop.persist.cold;

import io.galop.scratch.ProcessDirectory;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the driver puts SQLite itself, a megabyte that it takes out of its jar at each start. Left
 * to itself it would stay in the system's temporary directory whenever a node is killed.
 */
final class SqliteLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);
  private static final String KEY = "org.sqlite.tmpdir";

  private SqliteLibrary() {}

  /** To be called before the driver is used; where somebody has said where, it stays there. */
  static synchronized void place() {
    if (System.getProperty(KEY) != null) {
      return;
    }
    try {
      System.setProperty(KEY, ProcessDirectory.path().toString());
    } catch (IOException e) {
      LOG.warn("no directory for SQLite's library, so the driver chooses one: {}", e.toString());
    }
  }
}
