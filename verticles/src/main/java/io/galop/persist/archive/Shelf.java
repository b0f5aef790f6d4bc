package io.galop.persist.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Where finished files of an archive go. For one thread; blocks. */
interface Shelf {

  /**
   * Puts files in their places under their final names, where each is whole or not there. When it
   * returns all are durable there, and gone from where they were. After a failure it is called
   * again with those that are not gone, which may be in their places already.
   *
   * @param files where each is, and what it is
   */
  void place(Map<Path, ArchiveFile> files) throws IOException;
}
