package io.galop.loadtest.site;

import io.galop.loadtest.targets.Launch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that was started and will be stopped. */
public record Child(Process process) implements AutoCloseable {
  private static final long STOP_SECONDS = 20;
  private static final long START_SECONDS = 120;
  private static final long LOOK_EVERY_MS = 50;
  private static final int TIMEOUT_MS = 1_000;

  /** Starts one; its output goes to a file. */
  public static Child start(List<String> command, Path log) throws IOException {
    try {
      return new Child(Launch.run(command, log));
    } catch (IOException e) {
      throw new IOException(command.get(0) + " cannot be started; is it installed?", e);
    }
  }

  /** Waits until a store accepts a connection; one that greets is waited for until it has. */
  public void awaitListening(int port, boolean greets, Path log)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!listens(port, greets)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        close();
        throw new IOException("a store did not start:\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private static boolean listens(int port, boolean greets) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      return !greets || socket.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
