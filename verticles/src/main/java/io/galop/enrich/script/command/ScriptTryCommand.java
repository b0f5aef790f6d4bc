package io.galop.enrich.script.command;

import io.galop.config.enrich.EnricherConfig;
import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptPlace;
import io.galop.jvm.ErrorText;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code galop script try}: what a script makes of recorded or live records. */
@Command(
    name = "try",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a script's output for recorded or live records as one line of JSON each.",
      "The lines are {\"topic\":…,\"data\":{…},\"id\":…,\"time\":…}. Failures go to standard error."
    },
    footer = {
      "",
      "Exit code 0 if the script took every record, 1 if it failed on one or a line is no record.",
      "",
      "  galop script try betfair.js --from odds.jsonl --topic odds/raw",
      "  galop history 'sensor/#' | galop script try kmh.js --from -",
      "  galop script try kmh.js --from 'sensor/#' --url http://HOST:8080"
    })
final class ScriptTryCommand implements Callable<Integer> {
  private static final int BUFFER_BYTES = 1 << 16;

  private final LiveSource live;
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private long taken;
  private long made;
  private long dropped;
  private long failed;
  private long scriptNs;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The script, or the name of a shipped one, such as celsius.js.")
  private Path file;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--from",
      required = true,
      paramLabel = "FILE|-|FILTER",
      description =
          "The records, one per line: {\"topic\":…,\"data\":{…}}, optionally with \"id\" and"
              + " \"time\", as galop history, subscribe and log export print them; '-': standard"
              + " input. If it is no file: a topic or filter of a running node; the variable"
              + " GALOP_VIEWER_TOKEN has the viewer's token, if required.")
  private String from;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "The node with the live records. Default: ${DEFAULT-VALUE}.")
  private String url;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after this many live records; 0, the default: never.")
  private long count;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--topic",
      paramLabel = "T",
      defaultValue = "",
      description = "Each line is only the data of a record of this topic.")
  private String topic;

  @Option(
      names = "--setting",
      paramLabel = "KEY=VALUE",
      description = "A setting for the script's init; repeatable.")
  private Map<String, String> settings = new LinkedHashMap<>();

  ScriptTryCommand(InputStream in, PrintStream out, PrintStream err, LiveSource live) {
    this.live = live;
    this.in = in;
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Script script = open()) {
      if (isLive()) {
        tryLive(script);
      } else {
        tryRecorded(script);
      }
    }
    sum();
    return failed == 0 ? 0 : 1;
  }

  private boolean isLive() {
    return !from.equals("-") && !Files.exists(Path.of(from)) && topic.isEmpty();
  }

  private void tryRecorded(Script script) throws IOException {
    try (InputStream records = from.equals("-") ? in : Files.newInputStream(Path.of(from))) {
      OutputStream lines = new BufferedOutputStream(out, BUFFER_BYTES);
      TryLines input = new TryLines(records, topic);
      while (input.next()) {
        run(script, input, lines);
        if (input.isWaiting()) {
          lines.flush();
        }
        checkOut();
      }
      lines.flush();
    }
  }

  /** The node waits while the script runs, so none is missed; what it makes is shown at once. */
  private void tryLive(Script script) throws InterruptedException {
    OutputStream lines = new BufferedOutputStream(out, BUFFER_BYTES);
    TryLines input = new TryLines(InputStream.nullInputStream(), topic);
    live.read(
        filter(),
        url,
        count,
        line -> {
          try {
            input.take(line);
            run(script, input, lines);
            lines.flush();
            checkOut();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The node would refuse it too, but not know that a file may have been meant. */
  private String filter() {
    try {
      return TopicFilter.parse(from, EnricherConfig.MAX_FILTER_BYTES).toString();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--from: there is no file " + from + ", and " + e.getMessage());
    }
  }

  private Script open() {
    try {
      return ScriptPlace.of(file).open(settings);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), ErrorText.of(e));
    }
  }

  private void run(Script script, TryLines input, OutputStream lines) throws IOException {
    try {
      Record record = input.record();
      long began = System.nanoTime();
      List<Record> outputs = script.call(record);
      scriptNs += System.nanoTime() - began;
      taken++;
      made += outputs.size();
      dropped += outputs.isEmpty() ? 1 : 0;
      for (Record output : outputs) {
        TriedOutput.print(output, lines);
      }
    } catch (ScriptFailure e) {
      onFailure(input, "rejected: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      onFailure(input, ErrorText.of(e));
    }
  }

  private void onFailure(TryLines input, String what) {
    failed++;
    err.printf("line %d: %s%n", input.number(), what);
  }

  private void checkOut() throws IOException {
    if (out.checkError()) {
      throw new IOException("standard output was closed");
    }
  }

  private void sum() {
    err.printf(
        Locale.ROOT,
        "%,d records in, %,d out, %,d dropped, %,d failed; %.1f microseconds each%n",
        taken + failed,
        made,
        dropped,
        failed,
        scriptNs / 1e3 / Math.max(1, taken));
  }
}
