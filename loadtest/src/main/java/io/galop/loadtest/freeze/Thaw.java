package io.galop.loadtest.freeze;

import java.io.IOException;

/** Stops a process as it stands, with all its sockets open, and lets it go on when closed. */
final class Thaw implements AutoCloseable {
  private final long pid;
  private boolean isThawed;

  private Thaw(long pid) {
    this.pid = pid;
  }

  static Thaw freeze(long pid) throws IOException, InterruptedException {
    signal("-STOP", pid);
    return new Thaw(pid);
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    if (new ProcessBuilder("kill", name, "" + pid).start().waitFor() != 0) {
      throw new IOException("process " + pid + " takes no signal: has it ended?");
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (!isThawed) {
      isThawed = true;
      signal("-CONT", pid);
    }
  }
}
