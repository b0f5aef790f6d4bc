package io.galop.broadcast;

import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Reach;
import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.write.Rounds;
import io.galop.jvm.WallTimes;
import io.galop.node.AskedRecord;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this node shows of records, by the name {@code explain/shown}: {@code
 * {"records":[{"fed":…,"fedMs":…,"newest":position,"registrations":…,"newestOnly":…,"reach":{…}}]}}.
 * {@code fed} is there where it is known: the record is in the ring, or is the latest of its topic;
 * {@code reach}, as in {@link Reach}, where it came through the ring. From any thread.
 */
final class ShownReport implements Reports.Report {
  private final NodeFeed feed;

  ShownReport(NodeFeed feed) {
    this.feed = feed;
  }

  /** A record as the feed has it; {@code entry} is null where it has it no longer. */
  private record Shown(AskedRecord asked, JsonObject json, @Nullable Entry entry) {}

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    List<AskedRecord> asked = AskedRecord.of(parameters);
    return shown(asked)
        .compose(
            all ->
                feed.hubs()
                    .compose(
                        hubs -> Future.all(all.stream().map(one -> watched(one, hubs)).toList())))
        .map(all -> new JsonObject().put("records", new JsonArray(all.list())));
  }

  private Future<List<Shown>> shown(List<AskedRecord> asked) {
    return LoopTurn.on(feed::post, () -> asked.stream().map(this::shown).toList());
  }

  private Shown shown(AskedRecord asked) {
    JsonObject json = new JsonObject();
    Entry latest = feed.latest(asked.topic());
    if (latest != null) {
      json.put("newest", latest.position().toString());
    }
    Entry entry = isOf(asked, latest) ? latest : feed.ring().find(asked.position());
    if (entry != null) {
      json.put("fed", true);
    }
    return new Shown(asked, json, entry);
  }

  private static boolean isOf(AskedRecord asked, @Nullable Entry latest) {
    return latest != null && latest.position().equals(asked.position());
  }

  /** Who watches its topic on one event loop, and to whom of them it has come. */
  private record Watched(Hub.Watching now, Reach reach) {}

  private static Future<JsonObject> watched(Shown shown, List<Hub> hubs) {
    Entry entry = shown.entry;
    Entry offered = entry == null || entry.sequence() < 0 ? null : entry;
    return Future.all(hubs.stream().map(hub -> watched(hub, shown.asked.topic(), offered)).toList())
        .map(counts -> put(shown, counts.list(), offered != null));
  }

  private static Future<Watched> watched(Hub hub, String topic, @Nullable Entry offered) {
    return LoopTurn.on(
        hub::post,
        () ->
            new Watched(
                hub.watching(topic), offered == null ? Reach.NONE : Reach.of(hub, offered)));
  }

  private static JsonObject put(Shown shown, List<Watched> of, boolean isOffered) {
    WallTimes clock = WallTimes.now(); // one for all, so that all is in its order
    JsonObject json = shown.json;
    Entry entry = shown.entry;
    if (entry != null) {
      entry.heardNanos().ifPresent(at -> json.put("fedMs", clock.msNotAfter(at)));
    }
    json.put("registrations", of.stream().mapToInt(one -> one.now.registrations()).sum())
        .put("newestOnly", of.stream().mapToInt(one -> one.now.newestOnly()).sum());
    Reach reach = of.stream().map(Watched::reach).reduce(Reach.NONE, Reach::plus);
    return isOffered ? json.put("reach", json(reach, clock)) : json;
  }

  private static JsonObject json(Reach reach, WallTimes clock) {
    return new JsonObject()
        .put("sent", reach.sent())
        .put("leaving", reach.leaving())
        .put("waiting", reach.waiting())
        .put("newestOnly", reach.newestOnly())
        .put("unknown", reach.unknown())
        .put("written", written(reach, clock));
  }

  private static JsonObject written(Reach reach, WallTimes clock) {
    Rounds.Span when = reach.written().when();
    if (when == null) {
      return new JsonObject().put("known", false).put("because", because(reach));
    }
    return new JsonObject()
        .put("registrations", reach.written().registrations())
        .put("firstMs", clock.msNotAfter(when.firstNanos()))
        .put("lastMs", clock.msNotBefore(when.lastNanos()));
  }

  private static String because(Reach reach) {
    if (reach.sent() == 0) {
      return "none of the registrations of now counts as sent";
    }
    return reach.written().forgotten() > 0
        ? "each event loop remembers its last %d rounds of writing".formatted(Rounds.MOST)
        : "those that it was sent to were behind then";
  }
}
