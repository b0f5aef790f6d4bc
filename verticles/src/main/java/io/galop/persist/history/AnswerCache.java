package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.persist.ram.Slab;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.vertx.Buffers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
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
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whole answers, rendered once and their bytes shared by all who ask the same while no record of
 * the shards in question has come or gone: many browsers that open the same page cost little more
 * than a file. Bounded in bytes, the longest unasked goes first; while as many bytes again are
 * being gathered or on their way to slow readers, answers are not gathered. Safe to call from any
 * thread.
 */
public final class AnswerCache implements AutoCloseable {
  /** For what changes in the stores without a change in memory: what they delete. */
  private static final long LONGEST_WITH_STORES_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** An answer that would push out most of the others is not kept. */
  private static final int SHARE = 4;

  private static final int NUMBERS_PER_SHARD = 5;

  private final long maxBytes;
  private final long longestNanos;
  private final int shards;
  private final IntFunction<Slab[]> slabs;
  private final Map<HistoryRequest, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong allBytes = new AtomicLong();
  private final Counter hits;
  private final Counter shared;
  private final Counter misses;
  private final Counter crowded;
  private final Flights<HistoryRequest> flights = new Flights<>();

  private record Answer(long[] state, long untilNanos, ByteBuf body) {}

  /** A question, and the state of the memory at the time when it was asked. */
  final class Asked {
    private final HistoryRequest question;
    private final long[] state;

    private Asked(HistoryRequest question) {
      this.question = question;
      this.state = state(question.query());
    }

    /** The body, to be {@link #release released} once by the caller. */
    Optional<ByteBuf> answer() {
      return find(this);
    }

    /**
     * Finds the answer for all who ask the same, or gets it from who does.
     *
     * @param lead finds it, now or when a search that began too early is over; it must end the
     *     flight
     * @param follow gets the body, to be released once; empty: everybody for himself
     */
    void join(Consumer<Lead> lead, Consumer<Optional<ByteBuf>> follow) {
      flights.join(
          question,
          () -> state(question.query()),
          flight -> {
            misses.increment();
            begin(lead, new Lead(question, flight));
          },
          body -> {
            shared.increment();
            follow.accept(body);
          });
    }
  }

  private static void begin(Consumer<Lead> work, Lead lead) {
    try {
      work.accept(lead);
    } catch (RuntimeException e) {
      lead.giveUp();
      throw e;
    }
  }

  /**
   * Finds an answer for others as well. What it gathers counts from the first piece on. Lives on
   * one event loop.
   */
  final class Lead {
    private final HistoryRequest question;
    private final Flights<HistoryRequest>.Flight flight;
    private long taken;

    private Lead(HistoryRequest question, Flights<HistoryRequest>.Flight flight) {
      this.question = question;
      this.flight = flight;
    }

    /**
     * Takes room for so many bytes more.
     *
     * @return whether there is any; else the answer is written piece by piece
     */
    boolean take(long more) {
      if (taken + more > maxBytes / SHARE) {
        return false;
      }
      if (leavingBytes() + more > maxBytes) {
        crowded.increment();
        return false;
      }
      taken += more;
      allBytes.addAndGet(more);
      return true;
    }

    private void giveBack() {
      allBytes.addAndGet(-taken);
      taken = 0;
    }

    /**
     * The whole answer is there: kept, unless something has come in while it was found, and given
     * to those who wait.
     *
     * @return the body, to be released once
     */
    ByteBuf end(List<Buffer> chunks) {
      int length = chunks.stream().mapToInt(Buffer::length).sum();
      ByteBuf body = Unpooled.directBuffer(Math.max(1, length));
      allBytes.addAndGet(body.capacity());
      giveBack();
      chunks.forEach(chunk -> body.writeBytes(Buffers.bytes(chunk)));
      if (Arrays.equals(flight.state(), state(question.query()))) {
        put(question, flight.state(), body.retainedDuplicate());
      }
      flight.end(Optional.of(body));
      return body;
    }

    /** Nobody waits for it any longer; what was taken stays so until it is given up. */
    void goOnAlone() {
      flight.end(Optional.empty());
    }

    /** There is none that could be others' as well, and nothing of it is left. */
    void giveUp() {
      giveBack();
      flight.end(Optional.empty());
    }
  }

  /**
   * Remembers nothing yet.
   *
   * @param maxBytes 0 keeps nothing
   * @param hasStores whether answers change without a change in memory, by what stores delete
   * @param slabs the slabs of each shard, from any thread
   */
  public AnswerCache(
      long maxBytes,
      boolean hasStores,
      int shards,
      IntFunction<Slab[]> slabs,
      MeterRegistry registry) {
    this.longestNanos = hasStores ? LONGEST_WITH_STORES_NANOS : Long.MAX_VALUE / 2;
    this.maxBytes = maxBytes;
    this.shards = shards;
    this.slabs = slabs;
    this.hits = asked(registry, "hit");
    this.shared = asked(registry, "shared");
    this.misses = asked(registry, "miss");
    this.crowded = asked(registry, "crowded");
    Gauge.builder("galop.history.cache.bytes", bytes, AtomicLong::get)
        .description("Bytes of answers that are kept for others who ask the same")
        .register(registry);
    Gauge.builder("galop.history.leaving.bytes", this, AnswerCache::leavingBytes)
        .description("Bytes of answers that are gathered, or on their way to readers and not kept")
        .register(registry);
  }

  private static Counter asked(MeterRegistry registry, String result) {
    return Counter.builder("galop.history.cache")
        .description("Questions about the past, by what they found of kept answers")
        .tag("result", result)
        .register(registry);
  }

  /** Empty where nothing is kept. */
  Optional<Asked> ask(HistoryRequest request) {
    return maxBytes == 0 ? Optional.empty() : Optional.of(new Asked(request));
  }

  private long leavingBytes() {
    return allBytes.get() - bytes.get();
  }

  /** Lets go of a body that has left, or will not. */
  void release(ByteBuf body) {
    int length = body.capacity();
    if (body.release()) {
      allBytes.addAndGet(-length);
    }
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
    if (known == null
        || !Arrays.equals(known.state(), asked.state)
        || System.nanoTime() - known.untilNanos() >= 0) {
      return Optional.empty();
    }
    hits.increment();
    return Optional.of(known.body().retainedDuplicate());
  }

  private synchronized void put(HistoryRequest question, long[] state, ByteBuf body) {
    long untilNanos = System.nanoTime() + longestNanos;
    drop(answers.put(question, new Answer(state, untilNanos, body)));
    bytes.addAndGet(body.readableBytes());
    while (bytes.get() > maxBytes) {
      drop(answers.remove(answers.keySet().iterator().next()));
    }
  }

  private void drop(@Nullable Answer answer) {
    if (answer != null) {
      bytes.addAndGet(-answer.body().readableBytes());
      release(answer.body());
    }
  }

  /** Lets go of all answers; those that are being written stay until they have left. */
  @Override
  public synchronized void close() {
    answers.values().forEach(this::drop);
    answers.clear();
  }
}
