package io.galop.cli.replay;

import io.galop.cli.DoorToken;
import io.galop.cli.HostPort;
import io.galop.cli.TlsOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code galop replay}. */
final class ReplayOptions {
  /** How the file is written. */
  enum Format {
    /** Rows below a header. */
    CSV,
    /** Lines of JSON; the first says whether it is data or a record. */
    JSONL,
    /** Lines of JSON that are the data of records. */
    DATA,
    /** Lines of JSON that are whole records. */
    ENVELOPE
  }

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "FILE", description = "CSV with a header row, or JSONL.")
  Path file;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "",
      description =
          "The topic of all records. Optional for whole records, as galop history, subscribe and"
              + " log export print them; then it precedes their topics, with a '/'.")
  String topic;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--speed",
      paramLabel = "X|max",
      defaultValue = "1",
      description =
          "1: the original pace of the event times; 10: ten times as fast; max: as fast as the node"
              + " acknowledges. Default: ${DEFAULT-VALUE}.")
  String speed;

  @Option(
      names = "--map",
      split = ",",
      paramLabel = "name=column",
      description =
          "Columns (CSV) or top-level fields (JSONL) to use: 'time=…' selects the event time, every"
              + " other name becomes a field of the data. With no name but 'time', all keep their"
              + " names. The event time is by default the column 'timestamp' or 'time' (CSV) or the"
              + " field 'pt' (JSONL): ISO 8601, or a number since the epoch.")
  List<String> map = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "${COMPLETION-CANDIDATES}; default: by the file's name, else by its first byte. JSONL"
              + " lines are data or whole records, like the first one; DATA and ENVELOPE choose.")
  Optional<Format> format = Optional.empty();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--to",
      paramLabel = "host:port",
      defaultValue = "127.0.0.1:7700",
      converter = HostPort.Converter.class,
      description = "The node's tcp door; tls://… if it has TLS. Default: ${DEFAULT-VALUE}.")
  HostPort to;

  @Mixin final TlsOptions tls = new TlsOptions();

  @Mixin final DoorToken token = new DoorToken();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--id-prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description =
          "A prefix of the ids, whether from the file or made of content, topic and line: a new"
              + " prefix replays the same file as new records.")
  String idPrefix;

  @Option(
      names = "--resume-file",
      paramLabel = "FILE",
      description =
          "The file with the last acknowledged line; by default in the user's state directory, by"
              + " file, topic and node.")
  Optional<Path> resumeFile = Optional.empty();

  @Option(names = "--no-resume", description = "Begin at the first line, without a resume point.")
  boolean noResume;

  @Option(
      names = "--retry-seconds",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "How long to retry a lost connection without progress. Default: ${DEFAULT-VALUE}.")
  long retrySeconds;
}
