package io.galop.ingest.tcp;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.HalfSent;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.parse.RecordSink;
import io.galop.ingest.publisher.Publishers;
import io.galop.ingest.publisher.Visitor;
import io.galop.jvm.ErrorText;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One connection of the tcp door: reads while there is room, and tells the sender in order how many
 * of its lines are done with. One answer covers all that were settled in a turn of the event loop.
 */
final class TcpConnection {
  private static final String NO_LANGUAGE =
      "the connection begins neither with '{' for NDJSON nor with a Protobuf Batch";

  private static final String LATE =
      "a line or message was not whole in time (ingest.receiveTimeoutMs); send it at once";

  private static final String IN_THE_WAY =
      "the node has no room for a line or message of which nothing comes; send it again";

  /** A publisher whose quota grows meanwhile waits no longer. */
  private static final long LONGEST_PAUSE_MS = 1_000;

  private static final String UNREAD =
      "the node has no room for the rejections of so much at once; send what is beyond 'acked'"
          + " again, in smaller parts, and read the answers meanwhile";

  private final NetSocket socket;
  private final Intake intake;
  private final IngestConfig config;
  private final Visitor visitor;
  private final DoorMeters meters;
  private final HalfSent.Part half;
  private final Deque<TcpAnswers.Part> parts = new ArrayDeque<>();
  private final TcpAnswers answers;
  private final Promise<Void> finished = Promise.promise();
  private TcpWire wire;
  private Buffer start = Buffer.buffer();
  private String error = "";
  private boolean ending;
  private boolean closed;
  private boolean answering;
  private boolean telling;
  private boolean tellsFirst;

  /** The last answer is written: a client that does not read keeps the connection open for long. */
  private boolean isEnded;

  /** The node ends, and waits no longer. */
  private boolean isLate;

  private int pauses;
  private boolean overShare;

  /** When what was over the quota may come again, not told yet; 0 if nothing was. */
  private long retryAfterMs;

  /** What is not settled of all that was read, for the share of this connection. */
  private long inFlightBytes;

  TcpConnection(
      NetSocket socket,
      Intake intake,
      IngestConfig config,
      Publishers publishers,
      DoorMeters meters,
      HalfSent halfSent) {
    this.socket = socket;
    this.intake = intake;
    this.config = config;
    this.meters = meters;
    this.answers = new TcpAnswers(intake.inFlight());
    this.visitor = Visitor.of(publishers, intake.context(), this::fail);
    this.half = halfSent.of(visitor, meters.halfSent(), this::giveUp);
    this.wire = new NdjsonWire(intake.reader(), visitor, config.limits().maxLineBytes());
  }

  /** Begins to read; the future succeeds when the connection has ended and all is settled. */
  Future<Void> open() {
    socket.handler(
        bytes -> {
          visitor.show(socket.sslSession());
          socket.handler(this::begin);
          begin(bytes);
        });
    socket.endHandler(ended -> submit(wire::end));
    socket.exceptionHandler(failure -> socket.close());
    socket.closeHandler(gone -> closed());
    return finished.future();
  }

  private void closed() {
    closed = true;
    answers.drop();
    half.done();
    visitor.leave();
    endIfSettled();
  }

  /** The first bytes decide on the language; an empty Batch is only one. */
  private void begin(Buffer bytes) {
    start.appendBuffer(bytes);
    byte first = start.getByte(0);
    if (start.length() < 2 && first != 0) {
      half.begin();
      return;
    }
    boolean protobuf = first == 0 || ProtobufWire.isStart(first, start.getByte(1));
    if (first != '{' && !protobuf) {
      fail(NO_LANGUAGE);
      return;
    }
    if (protobuf) {
      wire = new ProtobufWire(intake.reader(), visitor, config.tcp().maxMessageBytes());
    }
    socket.handler(this::read);
    read(start);
    start = Buffer.buffer();
  }

  private interface Read {
    int from(RecordSink sink) throws TcpFailure;
  }

  /**
   * Reads what has come, checks each line, has its records gathered for their shards, and goes on
   * reading only where there is room; {@link #settle} acknowledges.
   */
  private void read(Buffer buffer) {
    if (ending) {
      return;
    }
    byte[] bytes = buffer.getBytes();
    boolean wasHalf = wire.isHalf();
    int lines = submit(sink -> wire.take(bytes, sink));
    noteHalf(bytes.length, lines > 0 || !wasHalf);
    pauseIfFull();
    pauseIfOverQuota();
    pauseIfUntold();
  }

  /** Who does not read what is wrong with its lines need not send more of them. */
  private void pauseIfUntold() {
    if (!tellsFirst && answers.areMany()) {
      tellsFirst = true;
      pause();
    }
  }

  private void pauseIfFull() {
    if (intake.inFlight().isFull(visitor)) {
      meters.paused();
      visitor.throttled();
      pause();
      intake.inFlight().whenRoom(visitor, intake.context(), this::resume);
    } else if (!overShare && intake.inFlight().isFullFor(inFlightBytes)) {
      meters.paused();
      overShare = true;
      pause();
    }
  }

  /**
   * Who floods is read no more than it may send, so that what it sends too much costs no more than
   * it may cost.
   */
  private void pauseIfOverQuota() {
    long overMs = ending || closed ? 0 : visitor.overMs();
    if (overMs > 0) {
      visitor.throttled();
      pause();
      awaitQuota(overMs);
    }
  }

  /** Another connection of the same publisher may have used meanwhile what flowed in. */
  private void awaitQuota(long overMs) {
    intake
        .context()
        .owner()
        .setTimer(
            Math.min(overMs, LONGEST_PAUSE_MS),
            due -> {
              long stillMs = ending || closed ? 0 : visitor.overMs();
              if (stillMs > 0) {
                awaitQuota(stillMs);
              } else {
                resume();
              }
            });
  }

  /** A line or message has its time from its first byte on, and while its sender is read from. */
  private void noteHalf(int received, boolean isNew) {
    if (ending || closed || !wire.isHalf()) {
      half.done();
      return;
    }
    if (isNew) {
      half.begin();
    }
    half.grow(received, wire.heldBytes());
    if (visitor.isOverrun()) {
      visitor.throttled();
      fail(visitor.full());
    }
  }

  private void giveUp(HalfSent.End why) {
    fail(why == HalfSent.End.LATE ? LATE : IN_THE_WAY);
  }

  /** What can be rejected at once is bounded by what is read at once, so all of it is kept. */
  private int submit(Read read) {
    TcpAnswers.Part part = new TcpAnswers.Part(answers.next());
    Submission submission =
        intake.open(visitor, meters, part.refused.rejections(), done -> settle(part));
    parts.add(part);
    String failure = "";
    try {
      part.lines = read.from(submission);
      part.asked = wire.isAsked();
    } catch (TcpFailure e) {
      part.lines = e.lines();
      failure = ErrorText.of(e);
      if (!visitor.isKnown()) {
        meters.stranger();
      }
    }
    part.bytes = submission.bytes();
    inFlightBytes += part.bytes;
    retryAfterMs = Math.max(retryAfterMs, submission.retryAfterMs());
    boolean hasRoom = part.refused.hold();
    submission.close();
    if (!hasRoom) {
      meters.untoldEnded();
      fail(UNREAD);
    } else if (!failure.isEmpty()) {
      fail(failure);
    }
    return part.lines;
  }

  private void settle(TcpAnswers.Part part) {
    part.done = true;
    inFlightBytes -= part.bytes;
    if (overShare && !intake.inFlight().isFullFor(inFlightBytes)) {
      overShare = false;
      resume();
    }
    boolean any = false;
    while (!parts.isEmpty() && parts.peek().done) {
      TcpAnswers.Part settled = parts.poll();
      boolean isTold = answers.settled(settled.refused, settled.lines);
      any |= isTold && (settled.lines > 0 || settled.asked);
    }
    if (any && !answering) {
      answering = true;
      intake.context().runOnContext(turnEnds -> answer());
    }
    endIfSettled();
  }

  private void answer() {
    answering = false;
    if (!closed) {
      if (answers.areTold() || answers.hasRoom()) {
        tell();
      }
      if (socket.writeQueueFull() && pauses == 0) {
        pause();
        socket.drainHandler(drained -> resume());
      }
    }
    endIfSettled();
  }

  /** Of rejections as many as the sender takes; {@link #sent} tells the others. */
  private void tell() {
    telling = true;
    do {
      boolean tellsRejections = !answers.areTold();
      Buffer answer = answers.answer(wire, retryAfterMs);
      Future<Void> written = socket.write(answer);
      if (tellsRejections) {
        int bytes = answer.length();
        answers.sent(bytes);
        written.onSuccess(left -> sent(bytes));
      }
    } while (!answers.areTold() && answers.hasRoom());
    telling = false;
    retryAfterMs = 0;
    if (tellsFirst && !answers.areMany()) {
      tellsFirst = false;
      resume();
    }
  }

  private void sent(int bytes) {
    answers.left(bytes);
    if (!telling && !closed && !answers.areTold() && answers.hasRoom()) {
      tell();
      endIfSettled();
    }
  }

  /** What is not read cannot become whole, so nothing is late meanwhile. */
  private void pause() {
    pauses++;
    half.rest();
    socket.pause();
  }

  private void resume() {
    if (--pauses == 0 && !closed && !ending) {
      if (wire.isHalf()) {
        half.begin();
      }
      socket.resume();
    }
  }

  /** Ends the connection with an error, after everything before it has been answered. */
  private void fail(String sentence) {
    error = error.isEmpty() ? sentence : error;
    end();
  }

  /** Reads no more; ends the connection when everything that was read is answered. */
  void end() {
    ending = true;
    half.done();
    socket.pause();
    endIfSettled();
  }

  /**
   * The same when the node ends, which waits for nobody who does not read: what it is not told is
   * not acknowledged either.
   */
  void end(long withinMs) {
    end();
    if (!finished.future().isComplete()) {
      intake
          .context()
          .owner()
          .setTimer(
              withinMs,
              due -> {
                isLate = true;
                endIfSettled();
              });
    }
  }

  private void endIfSettled() {
    if (!parts.isEmpty() || answering && !closed) {
      return;
    }
    if (ending && !closed && !isEnded && answers.areTold()) {
      isEnded = true;
      if (!error.isEmpty()) {
        socket.write(wire.acknowledgement(answers.done(), List.of(), error, 0));
      }
      socket.close();
    }
    if (closed || isLate) {
      answers.drop();
      socket.close();
      finished.tryComplete();
    }
  }
}
