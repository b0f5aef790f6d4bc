package io.galop.loadtest.queries;

import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of the load test's own, on a free port of the loopback interface. */
final class StoreProcess implements AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 20;
  private static final long LOOK_EVERY_MS = 50;

  private final Process process;
  private final Path directory;
  private final int port;

  /**
   * Starts it and waits until its port is taken.
   *
   * @param directory of its own; deleted at the end
   */
  StoreProcess(List<String> command, Path directory, int port)
      throws IOException, InterruptedException {
    this.directory = directory;
    this.port = port;
    Path log = directory.resolve("log");
    process = Launch.run(command, log);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!listens()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        String said = Files.readString(log);
        close();
        throw new IOException(command.get(0) + " did not start:\n" + said);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  /** Of the process and those that it has started. */
  List<Long> pids() {
    List<Long> pids = new ArrayList<>(List.of(process.pid()));
    process.descendants().map(ProcessHandle::pid).forEach(pids::add);
    return pids;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    Leavings.delete(directory);
  }
}
