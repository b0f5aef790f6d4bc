package io.galop.persist.inspect;

import io.galop.persist.log.file.Damage;
import io.galop.persist.log.stopped.LogFindings;
import io.galop.persist.log.stopped.LogFindings.OfDamage;
import io.galop.persist.log.stopped.LogFindings.OfSegment;
import io.galop.persist.log.stopped.StoppedLog;
import io.galop.persist.log.stopped.StoppedLog.OnProgress;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code galop log verify}: reads every byte and names every damage. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads the whole Log and prints every damaged range with its missing Positions."
    },
    footer = {
      "",
      "Exit code 0 without damage, else 1. An unfinished end is reported but is no damage: a kill",
      "or a power cut leaves it of unacknowledged records. If the file extent shows that its",
      "fsync had succeeded, it is damage."
    })
final class VerifyCommand implements Callable<Integer> {
  private final PrintStream out;
  private final OnProgress progress;

  @Mixin private final DataDirectory data = new DataDirectory();

  VerifyCommand(PrintStream out, OnProgress progress) {
    this.out = out;
    this.progress = progress;
  }

  @Override
  public Integer call() throws IOException {
    try (StoppedLog log = data.log()) {
      LogFindings found = log.scan(record -> {}, progress);
      found.damages().forEach(this::print);
      found.segments().forEach(this::printUnfinished);
      out.printf(
          Locale.ROOT,
          "%s: %d segments, %d bytes, %d records%n",
          found.damages().isEmpty() ? "sound" : found.damages().size() + " damaged",
          found.segments().size(),
          found.diskBytes(),
          found.records());
      return found.damages().isEmpty() ? 0 : 1;
    }
  }

  /** That a record is missing shows by a later one of its shard only. */
  private void print(OfDamage found) {
    Damage damage = found.damage();
    String missing =
        found.missing().isEmpty()
            ? "none that a later record shows"
            : String.join(", ", found.missing());
    out.printf("damaged: %s; missing: %s%n", damage, missing);
  }

  private void printUnfinished(OfSegment segment) {
    if (segment.unfinishedBytes() > 0) {
      out.printf(
          "unfinished: %s bytes %d to %d: not written to their end; the next start cuts them%n",
          segment.path().getFileName(),
          segment.endByte(),
          segment.endByte() + segment.unfinishedBytes());
    }
  }
}
