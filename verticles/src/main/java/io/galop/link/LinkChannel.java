package io.galop.link;

import io.galop.bus.Errand;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.LinkFrame;
import io.galop.bus.LinkFrame.Alive;
import io.galop.bus.LinkFrame.Answer;
import io.galop.bus.LinkFrame.Refused;
import io.galop.bus.LinkFrame.Request;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One connection, on either side: frames out and in, requests and their answers, signs of life. All
 * on one event loop, but for {@link #call}.
 */
final class LinkChannel {
  static final int VERSION = 2;
  static final String PATH = "/link";

  /** More than any Batch or Page; what is larger does not cross. */
  static final int MOST_BYTES = 64 * 1024 * 1024;

  /** What a relay says: questions, whose largest part is a filter, and short answers. */
  static final int MOST_SAID_BYTES = 256 * 1024;

  /** How often a side says that it lives. */
  static final long SIGN_MS = 100;

  /** After which the other side is given up, and its place is free for another attempt. */
  static final long GIVEN_UP_MS = 3_000;

  /**
   * A message goes in frames of so many bytes. Each is a sign of life, so that a large answer over
   * a slow line is no silence.
   */
  static final int FRAME_BYTES = 64 * 1024;

  /**
   * What waits in the socket beyond this is not added to: a push is busy, a question is left out.
   */
  private static final long MOST_UNSENT_BYTES = 16 * 1024 * 1024;

  private static final short BAD_FRAME = 1008;
  private static final int MOST_REASON = 100;
  private static final int MOST_CALLS = 8192;

  private final Loop loop;
  private final WebSocketBase socket;
  private final LinkCounts counts;
  private final Peer peer;

  /** What was asked and not answered; bounded by {@link #MOST_CALLS}. */
  private final Map<Long, Call> calls = new HashMap<>();

  private long nextId;

  /** Bytes that were written and have not left. */
  private long unsentBytes;

  private boolean hasEnded;
  private volatile long heardNanos = System.nanoTime();

  /**
   * @param isResume whether it asks to go on from a Position
   */
  private record Call(
      Errand.Kind kind, boolean isResume, Promise<Object> answer, long deadlineNanos) {}

  /** Whoever the connection is for. Called on its event loop. */
  interface Peer {
    /**
     * A frame that is no answer.
     *
     * @throws IllegalArgumentException if the other side may not send it: that ends the link
     */
    void onFrame(LinkFrame frame);

    /** Nothing comes any more; called once. */
    void onEnd(String why);
  }

  LinkChannel(WebSocketBase socket, LinkCounts counts, Peer peer) {
    this.loop = Loop.current();
    this.socket = socket;
    this.counts = counts;
    this.peer = peer;
    socket.frameHandler(frame -> heardNanos = System.nanoTime());
    socket.binaryMessageHandler(this::onMessage);
    socket.textMessageHandler(text -> end("it sent a text"));
    socket.exceptionHandler(failure -> end(String.valueOf(failure.getMessage())));
    socket.closeHandler(closed -> ended(closeReason()));
  }

  private String closeReason() {
    String reason = socket.closeReason();
    return reason == null || reason.isEmpty() ? "the connection was closed" : clean(reason);
  }

  private static String clean(String text) {
    String one = text.replaceAll("\\p{Cntrl}", "?");
    return one.length() > MOST_REASON ? one.substring(0, MOST_REASON) : one;
  }

  /**
   * Asks the other side. From any thread.
   *
   * @return its answer, on the caller's loop; fails with a {@link Refusal}
   */
  Future<Object> call(Errand errand) {
    Promise<Object> answer = Loop.current(loop.vertx()).promise();
    loop.run(() -> begin(errand, answer));
    return answer.future();
  }

  /** Runs something on the link's loop, in the order of {@link #call}. From any thread. */
  void run(Runnable task) {
    loop.run(task);
  }

  /** Sends what an owner pushes; succeeds when the relay has it. */
  Future<Void> push(Push push, long timeoutMs) {
    Errand.Kind kind = push.part() == null ? Errand.Kind.PUSH : Errand.Kind.PART;
    return call(new Errand(kind, "", timeoutMs, push)).mapEmpty();
  }

  private void begin(Errand errand, Promise<Object> answer) {
    if (hasEnded) {
      answer.fail(refusal("the link has ended"));
    } else if (calls.size() >= MOST_CALLS || isFull()) {
      answer.fail(new Refusal(Refusal.Why.BUSY, "too much is asked over the link"));
    } else {
      Buffer frame = new Request(nextId, errand).toBuffer();
      if (frame.length() > MOST_BYTES) {
        String what = frame.length() + " bytes are more than a link takes in one frame";
        answer.fail(new Refusal(Refusal.Why.BAD_REQUEST, what));
        return;
      }
      long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(errand.timeoutMs());
      boolean isResume = errand.message() instanceof Follow follow && !follow.since().isNone();
      long deadlineNanos = System.nanoTime() + timeoutNanos;
      calls.put(nextId++, new Call(errand.kind(), isResume, answer, deadlineNanos));
      write(frame);
    }
  }

  private static Refusal refusal(String why) {
    return new Refusal(Refusal.Why.NOT_READY, why);
  }

  /** Sends a frame, unless the link has ended. */
  void send(LinkFrame frame) {
    loop.check();
    if (!hasEnded) {
      write(frame.toBuffer());
    }
  }

  /** Answers a request when its answer is there. */
  void answer(long id, Future<?> answer) {
    loop.bring(answer)
        .onComplete(
            (body, failure) ->
                send(
                    failure == null ? new Answer(id, body) : new Refused(id, Refusal.of(failure))));
  }

  /** A socket may have closed already; whoever waits for an answer is told when that is known. */
  private void write(Buffer frame) {
    if (!socket.isClosed()) {
      int bytes = frame.length();
      counts.sent.addAndGet(bytes);
      unsentBytes += bytes;
      socket.writeBinaryMessage(frame).onComplete(left -> unsentBytes -= bytes);
    }
  }

  /** Whether the other side reads more slowly than it is sent to. */
  boolean isFull() {
    loop.check();
    return unsentBytes >= MOST_UNSENT_BYTES;
  }

  private void onMessage(Buffer bytes) {
    loop.check();
    if (hasEnded) {
      return;
    }
    counts.received.addAndGet(bytes.length());
    try {
      onFrame(LinkFrame.of(bytes));
    } catch (IllegalArgumentException e) {
      end("it sent what cannot be: " + clean(String.valueOf(e.getMessage())));
    }
  }

  private void onFrame(LinkFrame frame) {
    if (frame instanceof Answer answer) {
      Call call = calls.remove(answer.id());
      if (call != null && !call.kind().isAnsweredBy(answer.body())) {
        call.answer().fail(refusal("another answer than was asked for"));
        throw new IllegalArgumentException("another answer than " + call.kind() + " has");
      }
      if (call != null) {
        boolean goesOn = answer.body() instanceof Followed followed && followed.complete();
        counts.resumed.addAndGet(call.isResume() && goesOn ? 1 : 0);
        call.answer().complete(answer.body());
      }
    } else if (frame instanceof Refused refused) {
      Call call = calls.remove(refused.id());
      if (call != null) {
        call.answer().fail(refused.refusal());
      }
    } else if (!(frame instanceof Alive)) {
      peer.onFrame(frame);
    }
  }

  /** Says that this side lives, and gives up what was not answered in time. To be called often. */
  void tick() {
    long now = System.nanoTime();
    List<Call> late = new ArrayList<>();
    calls.values().stream().filter(call -> call.deadlineNanos() - now < 0).forEach(late::add);
    calls.values().removeAll(late);
    late.forEach(call -> call.answer().fail(refusal("no answer over the link in time")));
    if (socket.isClosed()) {
      ended(closeReason());
    } else if (silentMs() > GIVEN_UP_MS) {
      end("nothing was heard of it for " + GIVEN_UP_MS + " ms");
    } else if (!socket.writeQueueFull()) {
      send(new Alive());
    }
  }

  /** For how long nothing has come. From any thread. */
  long silentMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardNanos);
  }

  /** Ends the link, and tells the other side why. */
  void end(String why) {
    if (!hasEnded) {
      socket.close(BAD_FRAME, clean(why));
      ended(why);
    }
  }

  private void ended(String why) {
    loop.check();
    if (!hasEnded) {
      hasEnded = true;
      counts.ended.incrementAndGet();
      List<Call> open = List.copyOf(calls.values());
      calls.clear();
      open.forEach(call -> call.answer().fail(refusal("the link has ended")));
      peer.onEnd(why);
    }
  }
}
