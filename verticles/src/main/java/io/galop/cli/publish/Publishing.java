package io.galop.cli.publish;

import io.galop.cli.CliFailure;
import io.galop.cli.ProgressLine;
import io.galop.cli.Terminal;
import io.galop.cli.input.LineReader;
import io.galop.json.JsonLine;
import io.galop.json.JsonString;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;

/** Publishes lines in batches, several on their way at a time, and counts what became of them. */
final class Publishing {
  private static final int MAX_BATCH_LINES = 512;
  private static final int MAX_BATCH_BYTES = 256 * 1024;
  private static final int MAX_BATCHES_IN_FLIGHT = 4;

  private final DoorClient publisher;
  private final Naming naming;
  private final Terminal console;
  private final ProgressLine progress;
  private final Semaphore inFlight = new Semaphore(MAX_BATCHES_IN_FLIGHT);
  private long accepted;
  private long rejected;
  private long unanswered;
  private boolean isTold;

  /**
   * What the records are called.
   *
   * @param topic of all of them
   * @param id of a single one, and with {@code :<line>} of several; empty: the node gives ids
   */
  record Naming(String topic, String id) {
    private String envelope(String data, String idEnd) {
      String idField = id.isEmpty() ? "" : ",\"id\":" + JsonString.quoted(id + idEnd);
      return "{\"topic\":%s%s,\"data\":%s}\n".formatted(JsonString.quoted(topic), idField, data);
    }
  }

  /** The lines of a batch, with their numbers in the input. */
  private static final class Draft {
    private final StringBuilder lines = new StringBuilder();
    private final List<Long> numbers = new ArrayList<>();

    @Override
    public String toString() {
      return "lines %d to %d".formatted(numbers.get(0), numbers.get(numbers.size() - 1));
    }

    private boolean isFull() {
      return numbers.size() >= MAX_BATCH_LINES || lines.length() >= MAX_BATCH_BYTES;
    }
  }

  Publishing(DoorClient publisher, Naming naming, Terminal console) {
    this.publisher = publisher;
    this.naming = naming;
    this.console = console;
    this.progress = new ProgressLine(console, System::nanoTime);
  }

  /** Publishes one JSON object. */
  void publish(String data) throws InterruptedException {
    Draft draft = new Draft();
    String line = data.replace('\n', ' ').replace('\r', ' '); // between tokens, or not JSON
    add(draft, line.getBytes(StandardCharsets.UTF_8), 1, "");
    send(draft);
    inFlight.acquire(MAX_BATCHES_IN_FLIGHT);
  }

  /** Publishes a JSON object from each line; returns at the end of the input, or when it fails. */
  void publish(LineReader lines) throws InterruptedException {
    try {
      publishAll(lines);
    } catch (IOException e) {
      inFlight.acquire(MAX_BATCHES_IN_FLIGHT);
      tell();
      throw CliFailure.failed("standard input cannot be read: " + ErrorText.of(e));
    }
  }

  private void publishAll(LineReader lines) throws IOException, InterruptedException {
    Draft draft = new Draft();
    for (byte[] line = lines.next(); line != null && !hasFailed(); line = lines.next()) {
      if (lines.isCut()) {
        onRejected(lines.number(), "too_large", "the line is longer than a record may be");
      } else if (!isBlank(line)) {
        add(draft, line, lines.number(), ":" + lines.number());
      }
      if (draft.isFull() || !lines.ready()) {
        send(draft);
        draft = new Draft();
      }
    }
    send(draft);
    inFlight.acquire(MAX_BATCHES_IN_FLIGHT);
    progress.end();
  }

  /** As doors see it. */
  private static boolean isBlank(byte[] line) {
    for (byte each : line) {
      if (each != ' ' && each != '\t' && each != '\r') {
        return false;
      }
    }
    return true;
  }

  private void add(Draft draft, byte[] line, long number, String idEnd) {
    try {
      JsonLine.scan(line, Set.of());
      draft.lines.append(naming.envelope(new String(line, StandardCharsets.UTF_8), idEnd));
      draft.numbers.add(number);
    } catch (IllegalArgumentException e) {
      onRejected(number, "malformed", "the line " + e.getMessage());
    }
  }

  private void send(Draft draft) throws InterruptedException {
    if (draft.numbers.isEmpty()) {
      return;
    }
    inFlight.acquire();
    publisher
        .send(draft.lines.toString())
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                onAnswer(draft, answer);
              } else {
                onFailure(draft, failure);
              }
              inFlight.release();
            });
  }

  private synchronized void onAnswer(Draft draft, PublishAnswer answer) {
    accepted += answer.accepted();
    progress.show(() -> "%,d acknowledged, %,d rejected".formatted(accepted, rejected));
    unanswered +=
        draft.numbers.size() - answer.accepted() - answer.rejected().size() - answer.more();
    rejected += answer.more();
    if (answer.more() > 0) {
      console.say("%d more lines rejected that the node does not list".formatted(answer.more()));
    }
    if (!answer.error().isEmpty()) {
      console.say(draft + " not acknowledged: " + answer.error());
    }
    for (PublishAnswer.Refused one : answer.rejected()) {
      boolean known = one.line() >= 1 && one.line() <= draft.numbers.size();
      onRejected(known ? draft.numbers.get(one.line() - 1) : 0, one.reason(), one.detail());
    }
  }

  private synchronized void onFailure(Draft draft, Throwable failure) {
    unanswered += draft.numbers.size();
    String why =
        failure instanceof TimeoutException
            ? "no answer in time"
            : failure instanceof CompletionException
                ? ErrorText.ofCause(failure)
                : ErrorText.of(failure);
    console.say(draft + " not acknowledged: " + why);
  }

  private synchronized void onRejected(long line, String reason, String detail) {
    rejected++;
    console.say("line %d rejected: %s: %s".formatted(line, reason, detail));
  }

  private synchronized boolean hasFailed() {
    return unanswered > 0;
  }

  /** Says how many records are acknowledged; once, at the end or at an interrupt. */
  synchronized void tell() {
    if (!isTold) {
      isTold = true;
      console.line("acknowledged " + accepted);
    }
  }

  /** From a thread of the process's end. */
  void onInterrupt() {
    if (!isTold()) {
      console.say("interrupted; what was sent and not acknowledged may be stored all the same");
      tell();
    }
  }

  private synchronized boolean isTold() {
    return isTold;
  }

  /** Whether every line is acknowledged. */
  synchronized boolean isComplete() {
    return rejected == 0 && unanswered == 0;
  }
}
