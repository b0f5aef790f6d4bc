package io.galop.broadcast.sockjs;

import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a browser whose requests come one after the other, perhaps over several TCP
 * connections. It belongs to the event loop of the request that opened it: all is called there.
 * Between two requests what is written waits.
 *
 * @param <V> what is known of a viewer
 */
final class Session<V> implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /** So long a browser may take nothing of an answer that is over: twice between heartbeats. */
  private static final int MOST_UNTAKEN_BEATS = 2 * BEATS;

  private final Loop loop;
  private final Service<V> service;
  private final V opener;
  private final int limitBytes;
  private final Pending pending = new Pending();

  /** The request that waits for frames; null between two. */
  private @Nullable HttpAnswer answer;

  /** The last one that waited; null before the first. */
  private @Nullable HttpAnswer latest;

  /** How many writes have not left yet. */
  private int leaving;

  /** Null before the first frame, and when the browser is no more. */
  private @Nullable Connection connection;

  private boolean isOpened;

  /** Why it ends; null while it goes on. */
  private @Nullable Ending ending;

  private boolean isOver;
  private long idleSinceNanos = System.nanoTime();
  private int silentBeats;
  private int untakenBeats;
  private int socketBytes;

  Session(Loop loop, Service<V> service, V opener, int limitBytes) {
    this.loop = loop;
    this.service = service;
    this.opener = opener;
    this.limitBytes = limitBytes;
  }

  Loop loop() {
    return loop;
  }

  V opener() {
    return opener;
  }

  /** A request that is ready to be written to waits for frames. */
  void attach(HttpAnswer next) {
    silentBeats = 0;
    if (next instanceof StreamAnswer stream) {
      stream.attach(loop, socketBytes);
    }
    if (answer != null) {
      refuse(next);
    } else if (next.isBroken()) {
      interrupted();
    } else {
      answer = next;
      latest = next;
      open(next);
      flush();
    }
  }

  private static void refuse(HttpAnswer next) {
    ByteBuf frame = next.framing().farewell(Closing.ANOTHER_OPEN, next.allocator());
    next.write(frame);
    frame.release();
    if (!next.isOver()) {
      next.end();
    }
  }

  private void open(HttpAnswer first) {
    if (!isOpened) {
      isOpened = true;
      Connection connected = connected(first);
      if (isOver) {
        connected.onClosed();
      } else {
        connection = connected;
      }
    }
  }

  private Connection connected(HttpAnswer first) {
    try {
      send(first, first.framing().opening(), done -> {});
      return service.connected(this, opener);
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a session could not be opened", fault);
      service.leave(opener);
      interrupted();
      return Connection.NOBODY;
    }
  }

  /** A request broke that waited for frames. */
  void broke(HttpAnswer broken) {
    if (broken == answer) {
      answer = null;
      interrupted();
    }
  }

  /** What was lost on the way cannot be known: the browser has to come back. */
  private void interrupted() {
    if (!isOver) {
      end(Closing.INTERRUPTED);
    }
  }

  private void end(Ending why) {
    isOver = true;
    ending = why;
    idleSinceNanos = System.nanoTime();
    pending.drop();
    if (connection != null) {
      connection.onClosed();
    } else if (!isOpened) {
      isOpened = true;
      service.leave(opener);
    }
    connection = null;
  }

  @Override
  public String kind() {
    return latest instanceof StreamAnswer ? "streaming" : "polling";
  }

  @Override
  public boolean write(Frames frames, Receipt receipt) {
    silentBeats = 0;
    if (isOver || ending != null) {
      receipt.onLeft(frames.size(), frames.records(), false);
      return false;
    }
    HttpAnswer to = answer;
    if (to == null || !pending.isEmpty()) {
      pending.add(frames, receipt);
      return false;
    }
    HttpAnswer.Leaving left = send(to, frames.encoded(to.framing(), to.allocator()));
    if (left == null) {
      return true;
    }
    int size = frames.size();
    int records = frames.records();
    await(left, isSent -> receipt.onLeft(size, records, isSent));
    return false;
  }

  /** Sends what waits, as far as there is a request for it. */
  private void flush() {
    try {
      for (HttpAnswer to = answer; to != null && !pending.isEmpty(); to = answer) {
        flush(to, pending.take(limitBytes));
      }
      if (answer != null && ending != null) {
        sayEnding(answer, ending);
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a session could not be written to", fault);
      failed();
    }
  }

  private void flush(HttpAnswer to, Pending.Batch batch) {
    boolean hasLeft;
    try {
      hasLeft = sendAll(to, batch);
    } catch (RuntimeException | OutOfMemoryError fault) {
      batch.left(false);
      throw fault;
    }
    if (hasLeft) {
      batch.left(true);
    }
  }

  private boolean sendAll(HttpAnswer to, Pending.Batch batch) {
    ByteBuf bytes = to.framing().encode(batch.frames(), to.allocator());
    try {
      return send(to, bytes, batch::left);
    } finally {
      bytes.release();
    }
  }

  /** Nothing may follow on what was lost; if not even that can be said, the connection is cut. */
  private void failed() {
    if (isOver) {
      answer = null;
      cutOff();
      return;
    }
    ending = ending == null ? Closing.INTERRUPTED : ending;
    pending.drop();
    loop.later(() -> lost());
  }

  /** Whatever waits for the request that waited last never leaves. */
  private void cutOff() {
    if (latest != null) {
      latest.cutOff();
    }
  }

  private void sayEnding(HttpAnswer last, Ending why) {
    ByteBuf bytes = last.framing().farewell(why, last.allocator());
    boolean hasLeft = send(last, bytes, done -> loop.later(() -> ended(why)));
    bytes.release();
    if (answer != null) {
      finish(answer, done -> {});
    }
    if (hasLeft) {
      loop.later(() -> ended(why));
    }
  }

  private void ended(Ending why) {
    if (!isOver) {
      end(why);
    }
  }

  /**
   * Writes a frame to the request that waits, which is then perhaps over.
   *
   * @param isSent is told later what became of the frame
   * @return whether it has left; then nobody is told
   */
  private boolean send(HttpAnswer to, ByteBuf bytes, Consumer<Boolean> isSent) {
    HttpAnswer.Leaving left = send(to, bytes);
    if (left != null) {
      await(left, isSent);
    }
    return left == null;
  }

  private HttpAnswer.@Nullable Leaving send(HttpAnswer to, ByteBuf bytes) {
    HttpAnswer.Leaving left = to.write(bytes);
    if (to.isOver()) {
      answer = null;
    } else if (to instanceof StreamAnswer stream && stream.isFull()) {
      finish(to, done -> {});
    }
    return left;
  }

  private void finish(HttpAnswer to, Consumer<Boolean> done) {
    HttpAnswer.Leaving left = to.end();
    answer = null;
    await(left, done);
  }

  private void await(HttpAnswer.Leaving left, Consumer<Boolean> then) {
    leaving++;
    left.then(isSent -> loop.emit(() -> onLeft(then, isSent)));
  }

  private void onLeft(Consumer<Boolean> then, boolean isSent) {
    leaving--;
    untakenBeats = 0;
    idleSinceNanos = System.nanoTime();
    then.accept(isSent);
    if (!isSent) {
      loop.later(() -> lost());
    }
  }

  /** Not at once, as no end: whoever wrote may be in the middle of all its Subscribers. */
  private void lost() {
    interrupted();
    flush();
  }

  /** The only message of a viewer that cannot say more. */
  void onOnlyMessage(Buffer message) {
    onMessages(List.of(message));
    if (connection != null && ending == null) {
      connection.onLastMessage();
    }
  }

  /** Messages of the browser, in their order. */
  void onMessages(List<Buffer> messages) {
    for (Buffer message : messages) {
      if (connection != null && ending == null) {
        connection.onMessage(message);
      }
    }
  }

  @Override
  public boolean isReady() {
    return leaving == 0 && pending.isEmpty() && (answer == null || answer.isReady());
  }

  @Override
  public void onBeat() {
    silentBeats++;
    HttpAnswer to = answer;
    if (silentBeats >= BEATS && to != null && isReady()) {
      silentBeats = 0;
      send(to, to.framing().heartbeat(), done -> {});
    }
    untakenBeats = answer == null && leaving > 0 ? untakenBeats + 1 : 0;
    if (untakenBeats > MOST_UNTAKEN_BEATS) {
      cutOff();
      loop.later(() -> lost());
    }
  }

  @Override
  public void limitSocket(int bytes) {
    socketBytes = bytes;
    if (answer instanceof StreamAnswer stream) {
      stream.attach(loop, bytes);
    }
  }

  @Override
  public void close(Ending why) {
    if (ending == null) {
      ending = why;
      idleSinceNanos = System.nanoTime();
      pending.add(why.lastWords());
      flush();
    }
  }

  /**
   * Looks whether the browser has gone without a word, or does not take its last ones. What goes
   * wrong with that is no reason to keep the session, or to look at no other.
   *
   * @return whether the session is to be forgotten
   */
  boolean isForgotten(long nowNanos, long delayNanos) {
    boolean isBusy = ending == null && (answer != null || leaving > 0);
    if (isBusy || nowNanos - idleSinceNanos < delayNanos) {
      return false;
    }
    try {
      if (!isOver) {
        end(Closing.INTERRUPTED);
      }
      if (answer != null || leaving > 0) {
        cutOff();
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a session could not be ended", fault);
    }
    return true;
  }
}
