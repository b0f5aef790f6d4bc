package io.galop;

import io.galop.cli.Terminal;
import io.galop.cli.live.SubscribeCommand;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** What {@code galop subscribe} prints, to be read in the same process. */
final class LiveLines extends FilterInputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private volatile String failure = "";

  private LiveLines(InputStream lines) {
    super(lines);
  }

  /** Begins to subscribe; reading waits for records, and fails when the subscription does. */
  static InputStream open(Terminal console, String filter, String url, long count) {
    LinePipe pipe = new LinePipe(BUFFER_BYTES);
    LiveLines live = new LiveLines(pipe.from());
    String[] args = {filter, "--url", url, "--count", Long.toString(count)};
    Thread thread =
        new Thread(() -> live.subscribe(console, pipe.to(), args), "galop-live-records");
    thread.setDaemon(true);
    thread.start();
    return live;
  }

  private void subscribe(Terminal console, OutputStream to, String... args) {
    try (PrintStream out = new PrintStream(to, true, StandardCharsets.UTF_8)) {
      Terminal piped = new Terminal(console.in(), out, console.err(), console.terminal());
      new CommandLine(new SubscribeCommand(piped))
          .setCaseInsensitiveEnumValuesAllowed(true)
          .setParameterExceptionHandler(
              (wrong, given) -> {
                failure = String.valueOf(wrong.getMessage());
                return 2;
              })
          .setExecutionExceptionHandler(
              (thrown, line, parsed) -> {
                failure = String.valueOf(thrown.getMessage());
                return 1;
              })
          .execute(args);
    }
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    int read = super.read(to, from, length);
    if (read < 0 && !failure.isEmpty()) {
      throw new IOException(failure);
    }
    return read;
  }
}
