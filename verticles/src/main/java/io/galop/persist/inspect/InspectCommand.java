package io.galop.persist.inspect;

import io.galop.persist.cold.ColdCursor;
import io.galop.persist.cold.ColdException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.log.stopped.LogEntry;
import io.galop.persist.log.stopped.LogFindings;
import io.galop.persist.log.stopped.LogFindings.OfSegment;
import io.galop.persist.log.stopped.StoppedLog;
import io.galop.persist.log.stopped.StoppedLog.OnProgress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code galop log inspect}: what the Log holds. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the segments and the shards in the Log.",
      "Of each shard: its epochs, offsets and event times. Also how far the embedded store has",
      "read."
    })
final class InspectCommand implements Callable<Integer> {
  private final PrintStream out;
  private final OnProgress progress;
  private final NavigableMap<Epoch, EpochTally> tallies = new TreeMap<>();

  @Mixin private final DataDirectory data = new DataDirectory();

  InspectCommand(PrintStream out, OnProgress progress) {
    this.out = out;
    this.progress = progress;
  }

  @Override
  public Integer call() throws IOException {
    tallies.clear();
    try (StoppedLog log = data.log()) {
      LogFindings found = log.scan(this::add, progress);
      printHead(log, found);
      printSegments(found);
      printShards();
      printCursor(log, found);
      printCare(log, found);
    }
    return 0;
  }

  private void add(LogEntry record) {
    tallies.computeIfAbsent(new Epoch(record.shard(), record.epoch()), EpochTally::new).add(record);
  }

  private void printHead(StoppedLog log, LogFindings found) {
    out.printf(
        Locale.ROOT,
        "%s: Log %s, %d shards, %d segments, %d bytes, %d records%n",
        log.directory(),
        log.id().map(Long::toHexString).orElse("without an identity"),
        log.shards(),
        found.segments().size(),
        found.diskBytes(),
        found.records());
  }

  private void printSegments(LogFindings found) {
    TextTable table = new TextTable("segment", "bytes", "used", "records", "state");
    for (OfSegment segment : found.segments()) {
      table.row(
          segment.path().getFileName().toString(),
          Long.toString(segment.diskBytes()),
          Long.toString(segment.endByte()),
          Long.toString(segment.records()),
          segment.sealed() ? "sealed" : "open");
    }
    out.println();
    table.print(out);
  }

  private void printShards() {
    TextTable table =
        new TextTable("shard", "epoch", "offsets", "records", "bytes", "first time", "last time");
    tallies.values().forEach(tally -> table.row(tally.cells()));
    out.println();
    table.print(out);
  }

  private void printCursor(StoppedLog log, LogFindings found) {
    Path store = data.file("cold.sqlite");
    if (log.id().isEmpty() || !Files.exists(store)) {
      return;
    }
    out.println();
    try {
      LogPosition cursor = ColdCursor.of(store, log.id().get());
      out.printf(
          "%s has taken it up to %s, %d bytes are left%n",
          store.getFileName(), cursor, found.bytesAfter(cursor));
    } catch (ColdException e) {
      out.println(e.getMessage());
    }
  }

  private void printCare(StoppedLog log, LogFindings found) throws IOException {
    if (log.quarantined() > 0) {
      out.printf("quarantine/ holds copies of %d damaged stretches%n", log.quarantined());
    }
    if (!found.damages().isEmpty()) {
      out.printf(
          "%d stretches cannot be read; 'galop log verify' names them%n", found.damages().size());
    }
    if (found.unfinishedBytes() > 0) {
      out.printf(
          "%d bytes at the end were not written to their end; the next start cuts them%n",
          found.unfinishedBytes());
    }
  }
}
