package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.galop.broadcast.LiveClient;
import io.galop.broadcast.TestFeed;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.ReadyTransport;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.record.TopicFilter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes due together goes out in one write, joined once for all with the same filters. */
@Timeout(180)
class MergingTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Hub hub = TestFeed.hub(loop);

  @AfterEach
  void stop() throws Exception {
    TestFeed.await(vertx.close());
  }

  private static final class Kept extends ReadyTransport {
    final List<Frames> writes = new CopyOnWriteArrayList<>();
    final List<Integer> records = new CopyOnWriteArrayList<>();

    @Override
    public boolean write(Frames frames, Receipt receipt) {
      writes.add(frames);
      records.add(frames.records());
      return true;
    }
  }

  private Kept viewer(String... filters) {
    Kept kept = new Kept();
    Subscriber subscriber = new Subscriber(hub, kept, 1 << 20);
    hub.connected(subscriber);
    for (String filter : filters) {
      Registration registration =
          new Registration(subscriber, TopicFilter.parse(filter, 100), Pacing.EVERY, true);
      subscriber.add(registration);
      hub.register(registration);
    }
    return kept;
  }

  private static List<Entry> entries(int count) {
    List<Entry> entries = new ArrayList<>();
    for (int n = 1; n <= count; n++) {
      Entry entry =
          Entry.of(new Position(0, 1, n), new Record("id" + n, "a/b", 1, "{}".getBytes()));
      entry.number(n);
      entries.add(entry);
    }
    return entries;
  }

  @Test
  void manyFiltersAreOneWriteAndTheSameFiltersShareIt() throws Exception {
    List<Kept> kept = new CopyOnWriteArrayList<>();
    loop.runOnContext(
        now -> {
          hub.attached(1, new BitSet(), (filter, isWatched) -> {});
          kept.add(viewer("a/b", "a/#", "#"));
          kept.add(viewer("a/b", "a/#", "#"));
          kept.add(viewer("#"));
          hub.append(entries(4));
        });
    LiveClient.await(
        "writes", () -> kept.size() == 3 && kept.stream().allMatch(each -> !each.writes.isEmpty()));
    LiveClient.await("records", () -> kept.get(2).records.contains(4));
    assertEquals(List.of(12), kept.get(0).records, "3 filters, 4 records, one write");
    assertEquals(List.of(12), kept.get(1).records);
    assertSame(kept.get(0).writes.get(0), kept.get(1).writes.get(0), "joined once");
    assertNotSame(kept.get(0).writes.get(0), kept.get(2).writes.get(0));
  }
}
