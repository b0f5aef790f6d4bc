package io.galop.cli.replay;

import io.galop.cli.Terminal;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Sends a file's records to the tcp door, each when it is due. */
final class Replay {
  private static final long TICK_MS = 250;
  private static final long SAVE_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What takes part. */
  record Parts(
      Source source,
      DoorLine envelope,
      Pace pace,
      InFlightLines window,
      SteadyDoor door,
      Optional<ResumePoint> resume,
      ProgressBar progress,
      Terminal console,
      Clock clock) {}

  private final Parts parts;
  private final long startNanos;
  private final long firstLine;
  private long sent;
  private long malformed;
  private long savedNanos;

  /**
   * @param firstLine the line up to which an earlier replay came
   */
  Replay(Parts parts, long firstLine) {
    this.parts = parts;
    this.firstLine = firstLine;
    this.startNanos = parts.clock.nanos();
    this.savedNanos = startNanos;
  }

  /**
   * Replays to the end.
   *
   * @return whether every line was acknowledged
   */
  boolean run() throws IOException, InterruptedException {
    boolean complete = false;
    try {
      parts.source.skipTo(firstLine);
      for (Source.Item item = parts.source.next(); item != null; item = parts.source.next()) {
        if (item instanceof Source.Entry entry) {
          send(entry);
        } else if (item instanceof Source.Malformed bad) {
          onMalformed(bad);
        }
      }
      drain();
      complete = true;
    } finally {
      parts.progress.end();
      save(complete);
      parts.console.line(summary());
    }
    return rejected() == 0;
  }

  private void send(Source.Entry entry) throws IOException, InterruptedException {
    for (long nanos = due(entry); nanos > 0; nanos = due(entry)) {
      tick();
      parts.clock.sleep(Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(TICK_MS)));
    }
    InFlightLines.Sent line = new InFlightLines.Sent(entry.line(), parts.envelope.wrap(entry));
    while (!parts.window.offer(line)) {
      tick();
      parts.window.awaitRoom(line, TICK_MS);
    }
    parts.door.write(line.bytes());
    sent++;
    show();
  }

  private long due(Source.Entry entry) {
    return parts.pace.nanosUntilDue(entry.timeUs());
  }

  private void onMalformed(Source.Malformed bad) {
    malformed++;
    parts.console.say("line %d rejected: malformed: it %s".formatted(bad.line(), bad.problem()));
  }

  private void drain() throws IOException, InterruptedException {
    tick();
    while (parts.window.oldest() != 0) {
      parts.window.awaitEmpty(TICK_MS);
      tick();
    }
  }

  /** What has to be done now and then, and always before waiting. */
  private void tick() throws IOException, InterruptedException {
    parts.door.flush();
    if (parts.clock.nanos() - savedNanos >= SAVE_EVERY_NANOS) {
      savedNanos = parts.clock.nanos();
      save(false);
    }
    show();
  }

  private void save(boolean complete) throws IOException {
    if (parts.resume.isPresent()) {
      long line = Math.max(firstLine, parts.window.doneLine());
      parts.resume.get().save(line, complete);
    }
  }

  private void show() {
    parts.progress.show(parts.source.offset(), sent, parts.window.answered(), rejected());
  }

  private long rejected() {
    return malformed + parts.door.rejected();
  }

  private String summary() {
    double seconds = (parts.clock.nanos() - startNanos) / 1e9;
    return "replayed %d lines, %d acknowledged, %d rejected in %.1f s"
        .formatted(
            sent + malformed, parts.window.answered() - parts.door.rejected(), rejected(), seconds);
  }
}
