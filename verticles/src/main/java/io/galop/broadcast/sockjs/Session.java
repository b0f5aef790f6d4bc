package io.galop.broadcast.sockjs;

import io.galop.vertx.Loop;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Consumer;
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
  private HttpAnswer answer;

  private HttpAnswer latest;

  /** How many writes have not left yet. */
  private int leaving;

  /** Null before the first frame, and when the browser is no more. */
  private Connection connection;

  private boolean isOpened;
  private Ending ending;
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
      open();
      flush();
    }
  }

  private static void refuse(HttpAnswer next) {
    ByteBuf frame = next.kind().framing().farewell(Closing.ANOTHER_OPEN, next.allocator());
    next.write(frame);
    frame.release();
    if (!next.isOver()) {
      next.end();
    }
  }

  private void open() {
    if (!isOpened) {
      isOpened = true;
      send(answer.kind().framing().opening(), done -> {});
      Connection connected = service.connected(this, opener);
      if (isOver) {
        connected.onClosed();
      } else {
        connection = connected;
      }
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
  public boolean write(Frames frames, Receipt receipt) {
    silentBeats = 0;
    if (isOver || ending != null) {
      receipt.onLeft(frames.size(), frames.records(), false);
      return false;
    }
    if (answer == null || !pending.isEmpty()) {
      pending.add(frames, receipt);
      return false;
    }
    HttpAnswer.Leaving left = send(frames.encoded(answer.kind().framing(), answer.allocator()));
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
      while (answer != null && !pending.isEmpty()) {
        flush(pending.take(limitBytes));
      }
      if (answer != null && ending != null) {
        sayEnding();
      }
    } catch (RuntimeException | OutOfMemoryError fault) {
      LOG.warn("a session could not be written to", fault);
      failed();
    }
  }

  private void flush(Pending.Batch batch) {
    boolean hasLeft;
    try {
      hasLeft = sendAll(batch);
    } catch (RuntimeException | OutOfMemoryError fault) {
      batch.left(false);
      throw fault;
    }
    if (hasLeft) {
      batch.left(true);
    }
  }

  private boolean sendAll(Pending.Batch batch) {
    ByteBuf bytes = answer.kind().framing().encode(batch.frames(), answer.allocator());
    try {
      return send(bytes, batch::left);
    } finally {
      bytes.release();
    }
  }

  /** Nothing may follow on what was lost; if not even that can be said, the connection is cut. */
  private void failed() {
    if (isOver) {
      answer = null;
      latest.cutOff();
      return;
    }
    ending = ending == null ? Closing.INTERRUPTED : ending;
    pending.drop();
    loop.later(() -> lost());
  }

  private void sayEnding() {
    HttpAnswer last = answer;
    ByteBuf bytes = last.kind().framing().farewell(ending, last.allocator());
    boolean hasLeft = send(bytes, done -> ended());
    bytes.release();
    if (answer != null) {
      finish(done -> {});
    }
    if (hasLeft) {
      loop.later(() -> ended());
    }
  }

  private void ended() {
    if (!isOver) {
      end(ending);
    }
  }

  /**
   * Writes a frame to the request that waits, which is then perhaps over.
   *
   * @param isSent is told later what became of the frame
   * @return whether it has left; then nobody is told
   */
  private boolean send(ByteBuf bytes, Consumer<Boolean> isSent) {
    HttpAnswer.Leaving left = send(bytes);
    if (left != null) {
      await(left, isSent);
    }
    return left == null;
  }

  private HttpAnswer.Leaving send(ByteBuf bytes) {
    HttpAnswer to = answer;
    HttpAnswer.Leaving left = to.write(bytes);
    if (to.isOver()) {
      answer = null;
    } else if (to instanceof StreamAnswer stream && stream.isFull()) {
      finish(done -> {});
    }
    return left;
  }

  private void finish(Consumer<Boolean> done) {
    HttpAnswer.Leaving left = answer.end();
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
    if (silentBeats >= BEATS && answer != null && isReady()) {
      silentBeats = 0;
      send(answer.kind().framing().heartbeat(), done -> {});
    }
    untakenBeats = answer == null && leaving > 0 ? untakenBeats + 1 : 0;
    if (untakenBeats > MOST_UNTAKEN_BEATS) {
      latest.cutOff();
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
   * Looks whether the browser has gone without a word, or does not take its last ones.
   *
   * @return whether the session is to be forgotten
   */
  boolean isForgotten(long nowNanos, long delayNanos) {
    boolean isBusy = ending == null && (answer != null || leaving > 0);
    if (isBusy || nowNanos - idleSinceNanos < delayNanos) {
      return false;
    }
    if (answer != null || leaving > 0) {
      latest.cutOff();
    }
    if (!isOver) {
      end(Closing.INTERRUPTED);
    }
    return true;
  }
}
