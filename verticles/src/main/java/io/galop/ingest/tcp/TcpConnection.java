package io.galop.ingest.tcp;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.HalfSent;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.intake.Token;
import io.galop.ingest.parse.RecordSink;
import io.galop.record.Rejection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

  /** So many rejections go in one answer, which its reader has to hold. */
  private static final int MOST_REJECTED = 500;

  /** What one read brought in. */
  private static final class Part {
    private final Rejections rejections = new Rejections(Integer.MAX_VALUE);
    private int lines;
    private long bytes;
    private boolean done;
  }

  private final NetSocket socket;
  private final Intake intake;
  private final IngestConfig config;
  private final Token token;
  private final DoorMeters meters;
  private final HalfSent.Part half;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final List<TcpWire.Refused> refused = new ArrayList<>();
  private final Promise<Void> finished = Promise.promise();
  private TcpWire wire;
  private Buffer start = Buffer.buffer();
  private long acked;
  private String error = "";
  private boolean ending;
  private boolean closed;
  private boolean answering;
  private int pauses;
  private boolean overShare;

  /** What is not settled of all that was read, for the share of this connection. */
  private long inFlightBytes;

  TcpConnection(
      NetSocket socket,
      Intake intake,
      IngestConfig config,
      Token token,
      DoorMeters meters,
      HalfSent halfSent) {
    this.socket = socket;
    this.intake = intake;
    this.config = config;
    this.token = token;
    this.meters = meters;
    this.half = halfSent.of(meters.halfSent(), this::giveUp);
    this.wire = new NdjsonWire(intake.reader(), token, config.limits().maxLineBytes());
  }

  /** Begins to read; the future succeeds when the connection has ended and all is settled. */
  Future<Void> open() {
    socket.handler(this::begin);
    socket.endHandler(ended -> submit(wire::end));
    socket.exceptionHandler(failure -> socket.close());
    socket.closeHandler(gone -> closed());
    return finished.future();
  }

  private void closed() {
    closed = true;
    half.done();
    endIfSettled();
  }

  /** The first bytes decide on the language. */
  private void begin(Buffer bytes) {
    start.appendBuffer(bytes);
    if (start.length() < 2) {
      half.begin();
      return;
    }
    byte first = start.getByte(0);
    boolean protobuf = ProtobufWire.isStart(first, start.getByte(1));
    if (first != '{' && !protobuf) {
      fail(NO_LANGUAGE);
      return;
    }
    if (protobuf) {
      wire = new ProtobufWire(intake.reader(), token, config.tcp().maxMessageBytes());
    }
    socket.handler(this::read);
    read(start);
    start = Buffer.buffer();
  }

  private interface Read {
    int from(RecordSink sink) throws TcpFailure;
  }

  private void read(Buffer buffer) {
    if (ending) {
      return;
    }
    byte[] bytes = buffer.getBytes();
    boolean wasHalf = wire.isHalf();
    int lines = submit(sink -> wire.take(bytes, sink));
    noteHalf(bytes.length, lines > 0 || !wasHalf);
    if (intake.inFlight().isFull()) {
      meters.paused();
      pause();
      intake.inFlight().whenRoom(intake.context(), this::resume);
    } else if (!overShare && intake.inFlight().isFullFor(inFlightBytes)) {
      meters.paused();
      overShare = true;
      pause();
    }
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
  }

  private void giveUp(HalfSent.End why) {
    fail(why == HalfSent.End.LATE ? LATE : IN_THE_WAY);
  }

  /** What can be rejected at once is bounded by what is read at once, so all of it is kept. */
  private int submit(Read read) {
    Part part = new Part();
    Submission submission = intake.open(meters, part.rejections, done -> settle(part));
    parts.add(part);
    String failure = "";
    try {
      part.lines = read.from(submission);
    } catch (TcpFailure e) {
      part.lines = e.lines();
      failure = e.getMessage();
    }
    part.bytes = submission.bytes();
    inFlightBytes += part.bytes;
    submission.close();
    if (!failure.isEmpty()) {
      fail(failure);
    }
    return part.lines;
  }

  private void settle(Part part) {
    part.done = true;
    inFlightBytes -= part.bytes;
    if (overShare && !intake.inFlight().isFullFor(inFlightBytes)) {
      overShare = false;
      resume();
    }
    boolean any = false;
    while (!parts.isEmpty() && parts.peek().done) {
      Part settled = parts.poll();
      for (Rejection rejection : settled.rejections.listed()) {
        refused.add(new TcpWire.Refused(acked + rejection.line(), rejection));
      }
      acked += settled.lines;
      any |= settled.lines > 0;
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
      int from = 0;
      do {
        int to = Math.min(from + MOST_REJECTED, refused.size());
        socket.write(wire.acknowledgement(acked, refused.subList(from, to), ""));
        from = to;
      } while (from < refused.size());
      if (socket.writeQueueFull() && pauses == 0) {
        pause();
        socket.drainHandler(drained -> resume());
      }
    }
    refused.clear();
    endIfSettled();
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
    error = sentence;
    end();
  }

  /** Reads no more; ends the connection when everything that was read is answered. */
  void end() {
    ending = true;
    half.done();
    socket.pause();
    endIfSettled();
  }

  private void endIfSettled() {
    if (!parts.isEmpty() || answering && !closed) {
      return;
    }
    if (closed) {
      finished.tryComplete();
    } else if (ending) {
      if (!error.isEmpty()) {
        socket.write(wire.acknowledgement(acked, List.of(), error));
      }
      socket.close();
    }
  }
}
