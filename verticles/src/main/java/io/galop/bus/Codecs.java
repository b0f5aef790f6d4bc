package io.galop.bus;

import io.galop.record.Batch;
import io.galop.record.RecordCodec;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** All message codecs of the bus. Messages are immutable, so inside a node they are handed over. */
final class Codecs {
  private Codecs() {}

  /** Once per event bus; a second node on the same Vertx shares the codecs of the first. */
  static void register(EventBus bus) {
    try {
      add(bus, Batch.class, (b, m) -> RecordCodec.write(m, b), Wire.Reader::batch);
    } catch (IllegalStateException alreadyThere) {
      return;
    }
    registerBatches(bus);
    add(bus, Follow.class, Codecs::writeFollow, Codecs::readFollow);
    add(bus, Followed.class, Codecs::writeFollowed, Codecs::readFollowed);
    add(bus, Push.class, Codecs::writePush, Codecs::readPush);
    add(bus, Page.class, Codecs::writePage, Codecs::readPage);
    add(bus, HistoryQuery.class, Codecs::writeQuery, Codecs::readQuery);
    add(bus, RolledQuery.class, Codecs::writeRolled, Codecs::readRolled);
    add(bus, Seal.class, Codecs::writeSeal, Codecs::readSeal);
    add(bus, Sealed.class, Codecs::writeSealed, Codecs::readSealed);
    add(
        bus,
        Offer.class,
        (b, m) ->
            Wire.bool(
                Wire.text(b.appendInt(m.shard()), m.holder()).appendLong(m.epoch()), m.isLeaving()),
        r -> new Offer(r.i32(), r.text(), r.i64(), r.bool()));
    add(bus, Begun.class, Codecs::writeBegun, Codecs::readBegun);
    add(bus, Ask.class, Codecs::writeAsk, Codecs::readAsk);
  }

  private static void registerBatches(EventBus bus) {
    add(bus, SequencedBatch.class, Codecs::writeSequenced, Codecs::readSequenced);
    add(bus, Replicate.class, Codecs::writeReplicate, Codecs::readReplicate);
    add(
        bus,
        Replicated.class,
        (b, m) -> Wire.position(b, m.last()),
        r -> new Replicated(r.position()));
  }

  static void writeFollow(Buffer to, Follow follow) {
    Wire.position(Wire.text(to, follow.node()).appendLong(follow.session()), follow.since())
        .appendLong(follow.newestEpoch());
  }

  static Follow readFollow(Wire.Reader from) {
    Follow follow = new Follow(from.text(), from.i64(), from.position());
    return from.hasMore()
        ? new Follow(follow.node(), follow.session(), follow.since(), from.i64())
        : follow;
  }

  static void writeSeal(Buffer to, Seal seal) {
    Wire.text(to.appendInt(seal.shard()), seal.newOwner()).appendLong(seal.log());
  }

  static Seal readSeal(Wire.Reader from) {
    return new Seal(from.i32(), from.text(), more(from));
  }

  static void writeSealed(Buffer to, Sealed sealed) {
    Wire.position(Wire.bool(to, sealed.held()), sealed.last())
        .appendLong(sealed.newestEpoch())
        .appendLong(sealed.log());
    Wire.bool(Wire.bool(to, sealed.isDoubting()), sealed.isInformed());
  }

  static void writeBegun(Buffer to, Begun begun) {
    Wire.text(to.appendInt(begun.shard()).appendLong(begun.epoch()), begun.owner())
        .appendLong(begun.heard())
        .appendLong(begun.log());
  }

  static Begun readBegun(Wire.Reader from) {
    return new Begun(from.i32(), from.i64(), from.text(), more(from), more(from));
  }

  /** A number that older nodes do not send: 0 of those. */
  private static long more(Wire.Reader from) {
    return from.hasMore() ? from.i64() : 0;
  }

  static Sealed readSealed(Wire.Reader from) {
    Sealed sealed = new Sealed(from.bool(), from.position());
    return from.hasMore()
        ? new Sealed(sealed.held(), sealed.last(), from.i64(), more(from), flag(from), flag(from))
        : sealed;
  }

  private static boolean flag(Wire.Reader from) {
    return from.hasMore() && from.bool();
  }

  private static void writeSequenced(Buffer to, SequencedBatch next) {
    Wire.batch(to.appendLong(next.stream()).appendLong(next.number()), next.batch());
  }

  private static SequencedBatch readSequenced(Wire.Reader from) {
    return new SequencedBatch(from.i64(), from.i64(), from.batch());
  }

  private static void writeReplicate(Buffer to, Replicate next) {
    Wire.bool(Wire.text(to, next.owner()).appendLong(next.session()), next.follows());
    RecordCodec.write(next.batch(), Wire.position(to, next.goal()));
  }

  private static Replicate readReplicate(Wire.Reader from) {
    return new Replicate(from.text(), from.i64(), from.bool(), from.position(), from.batch());
  }

  static void writeFollowed(Buffer to, Followed followed) {
    Wire.bool(Wire.position(to, followed.from()), followed.complete());
  }

  static Followed readFollowed(Wire.Reader from) {
    return new Followed(from.position(), from.bool());
  }

  static Ask readAsk(Wire.Reader from) {
    return new Ask(from.i32(), from.position(), from.text(), from.i32());
  }

  static void writeAsk(Buffer to, Ask ask) {
    Wire.text(Wire.position(to.appendInt(ask.shard()), ask.since()), ask.next())
        .appendInt(ask.maxBytes());
  }

  static void writePush(Buffer to, Push push) {
    to.appendLong(push.session());
    Wire.position(Wire.position(to, push.after()), push.head());
    Wire.batch(to, push.batch());
  }

  static Push readPush(Wire.Reader from) {
    return new Push(from.i64(), from.position(), from.position(), from.batch());
  }

  static void writePage(Buffer to, Page page) {
    Wire.position(Wire.bool(to, page.complete()), page.upTo());
    Wire.placed(Wire.text(to, page.next()), page.records());
    Wire.text(to, String.join(" ", page.missing()));
  }

  static Page readPage(Wire.Reader from) {
    return new Page(from.bool(), from.position(), from.text(), from.placed(), words(from.text()));
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  static void writeQuery(Buffer to, HistoryQuery query) {
    Wire.text(to, query.filter()).appendLong(query.fromUs()).appendLong(query.toUs());
    Wire.text(Wire.bool(to.appendInt(query.limit()), query.newestFirst()), query.next());
  }

  static HistoryQuery readQuery(Wire.Reader from) {
    return new HistoryQuery(
        from.text(), from.i64(), from.i64(), from.i32(), from.bool(), from.text());
  }

  static void writeRolled(Buffer to, RolledQuery rolled) {
    writeQuery(to, rolled.query());
    to.appendLong(rolled.everyUs()).appendInt(rolled.fields().size());
    rolled.fields().forEach(field -> Wire.text(to, field));
  }

  static RolledQuery readRolled(Wire.Reader from) {
    HistoryQuery query = readQuery(from);
    long everyUs = from.i64();
    List<String> fields = new ArrayList<>();
    for (int left = from.i32(); left > 0; left--) {
      fields.add(from.text());
    }
    return new RolledQuery(query, everyUs, fields);
  }

  private static <T> void add(
      EventBus bus, Class<T> type, BiConsumer<Buffer, T> write, Function<Wire.Reader, T> read) {
    bus.registerDefaultCodec(type, new BusCodec<>(type, write, read));
  }

  private record BusCodec<T>(
      Class<T> type, BiConsumer<Buffer, T> write, Function<Wire.Reader, T> read)
      implements MessageCodec<T, T> {
    @Override
    public void encodeToWire(Buffer buffer, T message) {
      write.accept(buffer, message);
    }

    @Override
    public T decodeFromWire(int pos, Buffer buffer) {
      return read.apply(new Wire.Reader(buffer, pos));
    }

    @Override
    public T transform(T message) {
      return message;
    }

    @Override
    public String name() {
      return "galop." + type.getSimpleName();
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}
