package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.Topic;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Browsers that come back while an owner that has to be asked does not answer. */
@Timeout(180)
class OwnerAwayTest extends FeedTest {
  private static final String AWAY = topicOf(0);
  private static final String THERE = topicOf(1);

  private static String topicOf(int shard) {
    return IntStream.range(0, 1000)
        .mapToObj(n -> "topic" + n)
        .filter(topic -> Topic.shard(topic, TestFeed.SHARDS) == shard)
        .findFirst()
        .orElseThrow();
  }

  /** The ring has the newest records of neither topic's shard. */
  private void startBehind(String... settings) throws Exception {
    String[] all = Arrays.copyOf(settings, settings.length + 1);
    all[settings.length] = "broadcast.ring.maxRecords=16";
    start(all);
    LiveClient witness = witness("#");
    feed.publish(AWAY, 1, 101);
    feed.publish(THERE, 1, 101);
    witness.awaitIds(200);
    feed.onOwner(AWAY, owner -> owner.refusesFetches = true);
  }

  /** One connection with so many filters, each of which misses something of a shard. */
  private LiveClient manyBack(int filters) throws Exception {
    LiveClient many = feed.connect();
    int[] topics =
        IntStream.iterate(0, n -> n + 1)
            .filter(n -> Topic.shard("many/" + n, TestFeed.SHARDS) == 0)
            .limit(filters)
            .toArray();
    for (int topic : topics) {
      many.register("many/" + topic, Map.of("since", since(AWAY, 1, 40)));
    }
    many.settle();
    return many;
  }

  @Test
  void anOwnerThatIsAwayDelaysNoViewerOfAnotherShard() throws Exception {
    startBehind("broadcast.maxFilters=100");
    LiveClient many = manyBack(80);
    LiveClient.await("all wait", () -> feed.counted("joins.waiting") == 80);
    long begin = System.nanoTime();
    LiveClient other = resume(THERE, since(THERE, 1, 40));
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(isComplete(other));
    assertTrue(tookMs < 15_000, tookMs + " ms; it was 34 s before");
    feed.onOwner(AWAY, owner -> owner.refusesFetches = false);
    LiveClient.await("all are answered", () -> many.count("resumed") == 80);
    assertTrue(many.all("resumed").stream().allMatch(word -> word.getBoolean("complete")));
    assertEquals(0, feed.counted("joins.waiting"));
    assertEquals(0, feed.counted("incomplete"));
  }

  @Test
  void nobodyAsksForWhoHasGone() throws Exception {
    startBehind("broadcast.maxFilters=100");
    LiveClient many = manyBack(80);
    LiveClient.await("all wait", () -> feed.counted("joins.waiting") == 80);
    many.close();
    LiveClient.await("nobody waits", () -> feed.counted("joins.waiting") == 0);
    int refused = feed.onOwners(() -> feed.owner(AWAY).refused);
    assertTrue(refused < 40, refused + " questions for eighty who have gone");
  }
}
