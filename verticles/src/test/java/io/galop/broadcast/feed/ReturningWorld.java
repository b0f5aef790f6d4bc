package io.galop.broadcast.feed;

import io.galop.broadcast.TestFeed;
import io.galop.broadcast.hub.Pacing;
import io.galop.broadcast.hub.RecordReceiver;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.ring.Ring;
import io.galop.bus.Ask;
import io.galop.bus.Bus;
import io.galop.bus.Carrier;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.cluster.Cluster;
import io.galop.cluster.LocalCluster;
import io.galop.cluster.Member;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What a node has of its shards, without owners and without Hubs. */
final class ReturningWorld implements QuietListener, AutoCloseable {
  final Vertx vertx = Vertx.vertx();
  final Context loop = vertx.getOrCreateContext();
  final GalopConfig config;
  final Bus bus;
  final Ring ring;
  final ShardFeed[] shards;
  final FeedView view;

  /**
   * @param isWatched whether the node is sent only what is watched
   */
  ReturningWorld(int count, boolean isWatched, String... settings) throws Exception {
    this(count, isWatched, null, settings);
  }

  /** What it asks owners goes over links. */
  static ReturningWorld overLinks(int count, Carrier links, String... settings) throws Exception {
    return new ReturningWorld(count, false, links, settings);
  }

  private ReturningWorld(int count, boolean isWatched, @Nullable Carrier links, String... settings)
      throws Exception {
    config = ConfigLoader.load(Optional.empty(), Map.of(), List.of(settings), Map.of());
    Cluster alone = new LocalCluster("test", Set.of(Role.values()), count);
    bus =
        links == null
            ? Bus.open(vertx, alone, config.cluster())
            : Bus.overLinks(vertx, new Apart(alone), config.cluster(), links);
    ring = new Ring(config.broadcast().ring(), count);
    shards = new ShardFeed[count];
    view = new FeedView(ring, shards);
    onLoop(
        () -> {
          for (int shard = 0; shard < count; shard++) {
            ShardCover cover =
                isWatched ? ShardCover.watched(shard, count) : ShardCover.everything(shard);
            shards[shard] = new ShardFeed(vertx, bus, shard, config.broadcast(), cover, this);
            load(new Position(shard, 1, 0));
          }
        });
  }

  /** All is stored by another node. */
  private record Apart(Cluster owners) implements Cluster {
    @Override
    public Member self() {
      return new Member("apart", "apart", Set.of(Role.BROADCAST));
    }

    @Override
    public List<Member> members() {
      return owners.members();
    }

    @Override
    public int shards() {
      return owners.shards();
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {}
  }

  void onLoop(Runnable task) throws Exception {
    TestFeed.onLoop(loop, task);
  }

  /** The owner begins anew: there is a gap before this Position. */
  void load(Position head) {
    ShardView shard = shards[head.shard()].view();
    ShardLoad.Loaded loaded = new ShardLoad.Loaded(head, List.of(), List.of(), true);
    shard.load(loaded, Position.none(head.shard()), false);
    shard.goOnFrom(head);
    shard.settle();
  }

  static Placed placed(Position at, String topic) {
    byte[] data = "{}".getBytes(StandardCharsets.UTF_8);
    return new Placed(at, new Record(at.toString(), topic, at.offset(), data));
  }

  /** The owner pushes records up to an offset of an epoch. */
  void push(int shard, long epoch, long upTo, String topic) {
    Position last = shards[shard].view().last();
    long first = last.epoch() == epoch ? last.offset() + 1 : 1;
    List<Record> records =
        LongStream.rangeClosed(first, upTo)
            .mapToObj(n -> placed(new Position(shard, epoch, n), topic).record())
            .toList();
    Batch batch = new Batch(shard, epoch, first, records);
    shards[shard].view().add(new Push(1, last, new Position(shard, epoch, upTo), batch));
  }

  /** What the owner of a shard answers, on the feed loop. */
  void owner(int shard, Function<Ask, Future<Page>> answer) throws Exception {
    onLoop(() -> bus.feed().onFetch(shard, answer));
  }

  /** A browser that comes back with Positions. */
  Join join(String filter, Position... since) {
    RecordReceiver receiver =
        (RecordReceiver)
            Proxy.newProxyInstance(
                RecordReceiver.class.getClassLoader(),
                new Class<?>[] {RecordReceiver.class},
                (proxy, method, args) -> null);
    Registration registration =
        new Registration(receiver, TopicFilter.parse(filter, 9), Pacing.EVERY, true);
    String text = String.join(",", List.of(since).stream().map(Position::toString).toList());
    return new Join(null, registration, Optional.of(Since.parse(text, shards.length)));
  }

  @Override
  public void close() throws Exception {
    TestFeed.await(vertx.close());
  }

  @Override
  public Future<Void> onRecords(List<Entry> entries) {
    entries.forEach(ring::append);
    return Future.succeededFuture();
  }

  @Override
  public void onLoaded(int shard, Position upTo) {
    ring.restart(shard, upTo);
  }

  @Override
  public void onGap(int shard, Position upTo) {
    ring.restart(shard, upTo);
  }
}
