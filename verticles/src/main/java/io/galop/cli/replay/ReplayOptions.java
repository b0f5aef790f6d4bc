package io.galop.cli.replay;

import io.galop.cli.DoorToken;
import io.galop.cli.HostPort;
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

  @Parameters(index = "0", paramLabel = "FILE", description = "CSV with a header row, or JSONL.")
  Path file;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      defaultValue = "",
      description =
          "The topic of all records. May be left out where the lines are whole records, as galop"
              + " history, subscribe and log export print them; if it is not, it goes before their"
              + " topics, with a '/'.")
  String topic;

  @Option(
      names = "--speed",
      paramLabel = "X|max",
      defaultValue = "1",
      description =
          "1: as far apart as the event times are; 10: ten times as fast; max: as fast as the node"
              + " acknowledges. Default: ${DEFAULT-VALUE}.")
  String speed;

  @Option(
      names = "--map",
      split = ",",
      paramLabel = "name=column",
      description =
          "Which columns (CSV) or fields of the first level (JSONL) are taken: 'time=…' gives the"
              + " event time, every other name becomes a field of the data. Without any name but"
              + " 'time' all are taken under their own names. The event time is by default the"
              + " column 'timestamp' or 'time' (CSV) or the field 'pt' (JSONL): ISO 8601, or a"
              + " number since the epoch.")
  List<String> map = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "${COMPLETION-CANDIDATES}; by default from the file's name, else its first byte. JSONL:"
              + " lines of JSON are data, or whole records, as the first one is; DATA and ENVELOPE"
              + " say which.")
  Optional<Format> format = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "host:port",
      defaultValue = "127.0.0.1:7700",
      converter = HostPort.Converter.class,
      description = "The tcp door of the node to replay to. Default: ${DEFAULT-VALUE}.")
  HostPort to;

  @Mixin DoorToken token;

  @Option(
      names = "--id-prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description =
          "Goes before the ids, those of the file or those that are made of its content, the topic"
              + " and the line: with a new prefix the same file is replayed as new records.")
  String idPrefix;

  @Option(
      names = "--resume-file",
      paramLabel = "FILE",
      description =
          "Where to keep the line up to which all was acknowledged; by default in the user's state"
              + " directory, by file, topic and node.")
  Optional<Path> resumeFile = Optional.empty();

  @Option(names = "--no-resume", description = "Begin at the first line, and keep no resume point.")
  boolean noResume;

  @Option(
      names = "--retry-seconds",
      paramLabel = "S",
      defaultValue = "60",
      description =
          "How long to try again, without any progress, when the connection is lost. Default:"
              + " ${DEFAULT-VALUE}.")
  long retrySeconds;
}
