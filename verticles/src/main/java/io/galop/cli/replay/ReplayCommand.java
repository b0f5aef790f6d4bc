package io.galop.cli.replay;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.cli.input.LineReader;
import io.galop.cli.replay.ReplayOptions.Format;
import io.galop.cli.replay.ResumePoint.Subject;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code galop replay}: the file door. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Sends the lines of a file to a running node, at the pace of their event times or faster.",
      "The output of galop history, subscribe and log export returns to its own topics, with its",
      "ids and times; an id of a derived record, such as abc#1, becomes abc.1, since doors refuse",
      "'#'. It reconnects, and an interrupted replay continues where it was."
    },
    footer = {
      "",
      "To replay to a node elsewhere: --to HOST:7700; a door that listens on another address than",
      "loopback needs its token: --token, or the variable GALOP_INGEST_TOKEN.",
      "",
      "  galop replay day.jsonl --topic odds/raw --speed max",
      "  galop replay export.ndjson --speed max",
      "  galop replay engine.csv --topic plant/engine --speed 600 --map"
          + " time=timestamp,celsius=value"
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final int MAX_LINE_BYTES = 16 * 1024 * 1024;
  private static final int WINDOW_LINES = 4_096;
  private static final int WINDOW_BYTES = 1 << 20;
  private static final int HASH_DIGITS_OF_ID = 16;

  private final Terminal console;
  private final Clock clock = Clock.SYSTEM;
  @Mixin private final ReplayOptions options = new ReplayOptions();

  public ReplayCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Pace pace = checked(() -> Pace.parse(options.speed, clock));
    Columns columns = checked(() -> Columns.parse(options.map));
    String hash = FileHash.of(options.file);
    Optional<ResumePoint> resume = resumePoint(hash);
    long firstLine = resume.isPresent() ? resume.get().load() : 0;
    InFlightLines window = new InFlightLines(WINDOW_LINES, WINDOW_BYTES);
    var address =
        new SteadyDoor.Address(options.to, options.tls, options.token.text(), options.retrySeconds);
    try (Source source = openSource(columns);
        SteadyDoor door = new SteadyDoor(address, window, console, clock)) {
      door.open();
      if (resume.isPresent()) {
        resume.get().save(firstLine, false);
      }
      if (firstLine > 0) {
        console.say("going on after line %d of %s".formatted(firstLine, options.file));
      }
      DoorLine envelope =
          new DoorLine(options.topic, options.idPrefix, idBase(hash, options.topic));
      ProgressBar progress = new ProgressBar(console, Files.size(options.file), clock);
      var parts =
          new Replay.Parts(source, envelope, pace, window, door, resume, progress, console, clock);
      return new Replay(parts, firstLine).run() ? 0 : CliFailure.FAILED;
    }
  }

  /**
   * What ids begin with: the same for the same content on the same topic. The topic is in it, since
   * an id is one fact: the same file on another topic is other facts.
   */
  static String idBase(String fileHash, String topic) {
    return FileHash.ofText(fileHash + '\n' + topic).substring(0, HASH_DIGITS_OF_ID);
  }

  private Optional<ResumePoint> resumePoint(String hash) {
    if (options.noResume) {
      return Optional.empty();
    }
    Subject subject = new Subject(hash, options.idPrefix, options.topic, options.to.toString());
    String stateHome = Optional.ofNullable(System.getenv("XDG_STATE_HOME")).orElse("");
    Path file =
        options.resumeFile.orElseGet(
            () -> ResumePoint.usualFile(subject, stateHome, System.getProperty("user.home")));
    return Optional.of(new ResumePoint(file, subject));
  }

  private Source openSource(Columns columns) throws IOException {
    Format format = format();
    boolean records = format == Format.ENVELOPE;
    if (records && !options.map.isEmpty()) {
      throw CliFailure.usage("--map is for CSV and data; the lines of this file are whole records");
    }
    if (!records && options.topic.isEmpty()) {
      throw CliFailure.usage("the lines of " + options.file + " have no topics; name one: --topic");
    }
    LineReader lines = new LineReader(Files.newInputStream(options.file), MAX_LINE_BYTES);
    try {
      return switch (format) {
        case CSV -> new CsvSource(lines, columns);
        case ENVELOPE -> new EnvelopeSource(lines);
        default -> new JsonLinesSource(lines, columns);
      };
    } catch (IllegalArgumentException e) {
      lines.close();
      throw CliFailure.usage(options.file + ": " + e.getMessage());
    }
  }

  private Format format() throws IOException {
    Format said = options.format.isPresent() ? options.format.get() : usualFormat();
    if (said != Format.JSONL) {
      return said;
    }
    Format found = beginsWithRecord() ? Format.ENVELOPE : Format.DATA;
    if (found == Format.ENVELOPE && !options.topic.isEmpty()) {
      console.say(
          "the lines are whole records: their topics go below %s/; --format data makes each line"
                  .formatted(options.topic)
              + " the data of a record of "
              + options.topic);
    }
    return found;
  }

  private Format usualFormat() throws IOException {
    String name = options.file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return Format.CSV;
    }
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return Format.JSONL;
    }
    try (InputStream in = Files.newInputStream(options.file)) {
      return in.read() == '{' ? Format.JSONL : Format.CSV;
    }
  }

  private boolean beginsWithRecord() throws IOException {
    try (LineReader lines = new LineReader(Files.newInputStream(options.file), MAX_LINE_BYTES)) {
      byte[] line = lines.next();
      while (line != null && line.length == 0) {
        line = lines.next();
      }
      return line != null && EnvelopeSource.is(line);
    }
  }

  private static <T> T checked(java.util.function.Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(ErrorText.of(e));
    }
  }
}
