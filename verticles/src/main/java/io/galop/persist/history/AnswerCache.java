package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.persist.ram.Slab;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Whole answers, rendered once and their bytes shared by all who ask the same while no record of
 * the shards in question has come or gone: many browsers that open the same page cost little more
 * than a file. Bounded in bytes, the longest unasked goes first. Safe to call from any thread.
 */
public final class AnswerCache implements AutoCloseable {
  /** For what changes in the stores without a change in memory: what they delete. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** An answer that would push out most of the others is not kept. */
  private static final int SHARE = 4;

  private static final int NUMBERS_PER_SHARD = 5;

  private final long maxBytes;
  private final int shards;
  private final IntFunction<Slab[]> slabs;
  private final Map<Question, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);
  private final AtomicLong bytes = new AtomicLong();
  private final Counter hits;
  private final Counter misses;

  private record Question(HistoryQuery query, boolean isLines) {}

  private record Answer(long[] state, long untilNanos, ByteBuf body) {}

  /** A question, and the state of the memory at the time when it was asked. */
  final class Asked {
    private final Question question;
    private final long[] state;

    private Asked(Question question) {
      this.question = question;
      this.state = state(question.query());
    }

    /** The body, to be released once by the caller. */
    Optional<ByteBuf> answer() {
      return find(this);
    }

    long mostBytes() {
      return maxBytes / SHARE;
    }

    /** Keeps the answer for others, unless something has come in while it was found. */
    void keep(List<Buffer> body) {
      if (Arrays.equals(state, state(question.query()))) {
        put(this, body);
      }
    }
  }

  /**
   * Remembers nothing yet.
   *
   * @param maxBytes 0 keeps nothing
   * @param slabs the slabs of each shard, from any thread
   */
  public AnswerCache(long maxBytes, int shards, IntFunction<Slab[]> slabs, MeterRegistry registry) {
    this.maxBytes = maxBytes;
    this.shards = shards;
    this.slabs = slabs;
    this.hits = registry.counter("galop.history.cache", "result", "hit");
    this.misses = registry.counter("galop.history.cache", "result", "miss");
    registry.gauge("galop.history.cache.bytes", bytes);
  }

  Asked ask(HistoryRequest request) {
    return new Asked(new Question(request.query(), request.isLines()));
  }

  /** Of each shard in question where its memory begins and ends. */
  private long[] state(HistoryQuery query) {
    TopicFilter filter = TopicFilter.parse(query.filter(), Integer.MAX_VALUE);
    if (filter.isExact()) {
      long[] one = new long[NUMBERS_PER_SHARD];
      state(slabs.apply(Topic.shard(filter.toString(), shards)), one, 0);
      return one;
    }
    long[] all = new long[NUMBERS_PER_SHARD * shards];
    for (int shard = 0; shard < shards; shard++) {
      state(slabs.apply(shard), all, NUMBERS_PER_SHARD * shard);
    }
    return all;
  }

  private static void state(Slab[] of, long[] to, int at) {
    if (of.length > 0) {
      Slab last = of[of.length - 1];
      to[at] = of[0].epoch();
      to[at + 1] = of[0].firstOffset();
      to[at + 2] = last.epoch();
      to[at + 3] = last.firstOffset();
      to[at + 4] = last.publishedBytes();
    }
  }

  private synchronized Optional<ByteBuf> find(Asked asked) {
    Answer known = answers.get(asked.question);
    boolean isGood =
        known != null
            && Arrays.equals(known.state(), asked.state)
            && System.nanoTime() - known.untilNanos() < 0;
    (isGood ? hits : misses).increment();
    return isGood ? Optional.of(known.body().retainedDuplicate()) : Optional.empty();
  }

  private synchronized void put(Asked asked, List<Buffer> chunks) {
    int length = chunks.stream().mapToInt(Buffer::length).sum();
    ByteBuf body = Unpooled.directBuffer(Math.max(1, length));
    chunks.forEach(chunk -> body.writeBytes(chunk.getBytes()));
    long untilNanos = System.nanoTime() + LONGEST_NANOS;
    drop(answers.put(asked.question, new Answer(asked.state, untilNanos, body)));
    bytes.addAndGet(length);
    while (bytes.get() > maxBytes) {
      drop(answers.remove(answers.keySet().iterator().next()));
    }
  }

  private void drop(Answer answer) {
    if (answer != null) {
      bytes.addAndGet(-answer.body().readableBytes());
      answer.body().release();
    }
  }

  /** Lets go of all answers; those that are being written stay until they have left. */
  @Override
  public synchronized void close() {
    answers.values().forEach(this::drop);
    answers.clear();
  }
}
