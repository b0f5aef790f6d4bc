package io.galop.persist.archive;

import java.io.IOException;
import java.nio.file.Path;

/** A place on another machine that takes files whole; an add-on brings it. */
public interface Upload {

  /**
   * Sends a file, in place of what has the name. Blocks until it is durable there, but not for
   * ever.
   *
   * @param name with directories, such as {@code prefix=race/date=2026-11-25/hour=13/x.ndjson.gz}
   * @throws UploadException if the other side does not take it now
   */
  void put(Path file, String name) throws IOException;
}
