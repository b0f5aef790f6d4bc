package io.galop.persist.inspect;

import io.galop.persist.log.stopped.LogEntry;
import io.galop.persist.log.stopped.LogFindings;
import io.galop.persist.log.stopped.StoppedLog;
import io.galop.persist.log.stopped.StoppedLog.OnProgress;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code galop log export}: records of the Log as lines of JSON. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the records of the Log, in its order, as one line of JSON each.",
      "POST /publish takes the lines: {\"topic\":…,\"data\":{…},\"id\":…,\"time\":…}."
    },
    footer = {
      "",
      "The records in the Log are enriched, and are enriched again when they are",
      "published again. An id of a derived record, such as abc#1, is printed as abc.1, since doors",
      "refuse '#' in ids; --stored-ids keeps it. Damaged entries are skipped and counted on",
      "standard error; the exit code is 1 then.",
      "",
      "  galop log export --filter 'race/#' --from 2026-11-20T12:00:00Z > records.ndjson"
    })
final class ExportCommand implements Callable<Integer> {
  private static final int LONGEST_TOPIC_BYTES = 65_535;
  private static final int BUFFER_BYTES = 1 << 16;

  private final PrintStream out;
  private final PrintStream err;
  private final OnProgress progress;

  @Mixin private final DataDirectory data = new DataDirectory();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      defaultValue = "#",
      converter = FilterConverter.class,
      description = "Topics; '+' matches one level, '#' the rest. Default: ${DEFAULT-VALUE}.")
  private TopicFilter filter;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Times.Converter.class,
      description = "First event time: ISO 8601, or microseconds since 1970 UTC.")
  private Optional<Long> fromUs = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Times.Converter.class,
      description = "Last event time.")
  private Optional<Long> toUs = Optional.empty();

  @Option(names = "--stored-ids", description = "Print ids of derived records as they are.")
  private boolean storedIds;

  ExportCommand(PrintStream out, PrintStream err, OnProgress progress) {
    this.out = out;
    this.err = err;
    this.progress = progress;
  }

  /** Reads a filter. */
  static final class FilterConverter implements ITypeConverter<TopicFilter> {
    @Override
    public TopicFilter convert(String text) {
      try {
        return TopicFilter.parse(text, LONGEST_TOPIC_BYTES);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    ExportLine lines = new ExportLine(new BufferedOutputStream(out, BUFFER_BYTES), storedIds);
    try (StoppedLog log = data.log()) {
      LogFindings found = log.scan(record -> export(record, lines), progress);
      lines.flush();
      if (out.checkError()) {
        throw new IOException("standard output was closed");
      }
      if (found.damages().isEmpty()) {
        return 0;
      }
      err.printf(
          "galop: %d stretches of the Log could not be read; 'galop log verify' names them%n",
          found.damages().size());
      return 1;
    }
  }

  private void export(LogEntry entry, ExportLine lines) throws IOException {
    long timeUs = entry.timeUs();
    if (timeUs < fromUs.orElse(Long.MIN_VALUE) || timeUs > toUs.orElse(Long.MAX_VALUE)) {
      return;
    }
    Record record = entry.read().record();
    if (filter.matches(record.topic())) {
      lines.print(record);
      stopIfNobodyReads(lines);
    }
  }

  /** As after {@code | head}: reading a large Log to its end would be in vain. */
  private void stopIfNobodyReads(ExportLine lines) throws IOException {
    if (lines.count() % 10_000 == 0 && out.checkError()) {
      throw new IOException("standard output was closed");
    }
  }
}
