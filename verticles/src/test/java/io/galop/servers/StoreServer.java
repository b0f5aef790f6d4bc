package io.galop.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A store's real server as a child process on a port and in a directory of its own. As a {@code
 * static} field with {@code @RegisterExtension} it is started before the tests of a class and ended
 * after them; what it printed is shown when a test fails. {@link #start} and {@link #close} do the
 * same by hand.
 */
public abstract class StoreServer
    implements AutoCloseable, BeforeAllCallback, AfterAllCallback, AfterTestExecutionCallback {
  private static final String OUTPUT = "output.txt";
  private static final int START_TRIES = 5;
  private static final int START_SECONDS = 180;
  private static final int STOP_SECONDS = 120;

  private Path directory;
  private int port;
  private Child child;

  /** The command that serves the directory on the port. */
  abstract List<String> command(Path directory, int port) throws IOException;

  /** Makes an empty store in a new directory. */
  void prepare(Path directory) throws IOException {}

  /** Whether this very process answers a request. */
  abstract boolean answers(long pid) throws Exception;

  /** Before the {@code SIGTERM} that ends it in order. */
  void askToEnd(long pid) {}

  /** Removes all that is stored, as an operator who empties the store would. */
  public abstract void empty();

  /** Starts the server on a free port and waits until it answers. */
  public void start() {
    try {
      directory = Scratch.directory("galop-" + getClass().getSimpleName());
      prepare(directory);
      for (int i = 1; child == null; i++) {
        port = Ports.free();
        launch(i < START_TRIES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void launch(boolean mayFail) throws IOException {
    Child launched = new Child(command(directory, port), directory.resolve(OUTPUT));
    boolean up = launched.awaitAnswer(START_SECONDS, () -> answers(launched.pid()));
    if (up) {
      child = launched;
      return;
    }
    boolean ended = !launched.isAlive();
    launched.kill();
    if (!mayFail || !ended) {
      throw new AssertionError(
          this + " did not start: " + launched.lastFailure() + "\n" + printed());
    }
  }

  /** The port of 127.0.0.1 that it listens on; the same after a restart. */
  public int port() {
    return port;
  }

  /** Ends it in order and starts it anew on the same port with what it had stored on disk. */
  public void restart() {
    stop();
    startAgain();
  }

  /** Ends it in order; connections are refused until {@link #startAgain}. */
  public void stop() {
    child.thaw();
    askToEnd(child.pid());
    child.end(STOP_SECONDS);
  }

  /** {@code kill -9}. */
  public void kill() {
    child.kill();
  }

  /** Starts it after {@link #stop} or {@link #kill}. */
  public void startAgain() {
    child = null;
    try {
      for (int i = 1; child == null; i++) {
        launch(i < START_TRIES);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code SIGSTOP}: it answers nothing, and its connections stay open. */
  public void freeze() {
    child.freeze();
  }

  /** {@code SIGCONT}. */
  public void thaw() {
    child.thaw();
  }

  /** What it has printed. */
  public String printed() {
    return directory == null ? "" : Child.tail(directory.resolve(OUTPUT));
  }

  /** Ends its own process and removes its own directory, whatever state they are in. */
  @Override
  public void close() {
    if (child != null) {
      child.kill();
      child = null;
    }
    if (directory != null) {
      Scratch.delete(directory);
      directory = null;
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.err.println(this + " printed:\n" + printed());
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " on port " + port;
  }
}
