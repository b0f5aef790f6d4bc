package io.galop.loadtest.experiments.lone;

import java.io.IOException;
import java.util.List;

/** Something that puts records on disk. */
interface DurableServer extends AutoCloseable {
  /** As it stands in the table. */
  String name();

  /** Its processes, whose processor time is told; none where it has no own. */
  List<Long> pids();

  /** A new way to it, for one turn. */
  DurableLink connect() throws IOException, InterruptedException;

  @Override
  void close() throws InterruptedException;
}
