package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import io.galop.record.Topic;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** What browsers see of a broadcast node whose owners are fake. */
abstract class FeedTest {
  private static final Set<String> REFUSALS =
      Set.of(
          "origin_denied",
          "full",
          "address_full",
          "too_fast",
          "shutdown",
          "token_missing",
          "token_invalid",
          "token_expired",
          "token_revoked",
          "token_key_gone",
          "keys_awaited");

  TestFeed feed;

  /** Starts a node with settings {@code key=value}, and waits until it is ready. */
  final void start(String... settings) throws Exception {
    feed = TestFeed.start(settings);
    feed.awaitReady();
  }

  @AfterEach
  final void stopFeed() throws Exception {
    if (feed != null) {
      assertEquals(REFUSALS, refusals(), "each is counted from 0, and so there from the start");
      feed.close();
    }
  }

  private Set<String> refusals() {
    return feed.node.meters().get("galop.broadcast.refused").counters().stream()
        .map(counter -> counter.getId().getTag("reason"))
        .collect(Collectors.toSet());
  }

  /** The ids that {@link TestFeed#publish(String, int, int)} gives. */
  static List<String> ids(String topic, int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> topic + ":" + n).toList();
  }

  static String since(String topic, int epoch, int offset) {
    return new Position(Topic.shard(topic, TestFeed.SHARDS), epoch, offset).toString();
  }

  /** A connection that is known to be registered. */
  final LiveClient witness(String filter) throws Exception {
    LiveClient witness = feed.connect();
    witness.register(filter);
    witness.settle();
    return witness;
  }

  /** A connection that has come back and has caught up. */
  final LiveClient resume(String filter, String since) throws Exception {
    LiveClient client = feed.connect();
    client.register(filter, Map.of("since", since));
    client.awaitFirst("live");
    return client;
  }

  static boolean isComplete(LiveClient client) throws Exception {
    return client.awaitFirst("resumed").getBoolean("complete");
  }
}
