package io.galop.broadcast;

import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.ring.Entry;
import io.galop.node.AskedRecord;
import io.galop.node.Reports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this node shows of records, by the name {@code explain/shown}: {@code
 * {"records":[{"fed":…,"fedMs":…,"newest":position,"registrations":…,"newestOnly":…},…]}}. {@code
 * fed} is there where it is known: the record is in the ring, or is the latest of its topic. Groups
 * of registrations are counted, never the viewers one by one. From any thread.
 */
final class ShownReport implements Reports.Report {
  private final NodeFeed feed;

  ShownReport(NodeFeed feed) {
    this.feed = feed;
  }

  @Override
  public Future<JsonObject> answer(Map<String, String> parameters) {
    List<AskedRecord> asked = AskedRecord.of(parameters);
    return feed.hubs()
        .compose(hubs -> Future.all(hubs.stream().map(hub -> watching(hub, asked)).toList()))
        .compose(
            counts -> {
              List<List<Hub.Watching>> all = counts.list();
              return records(asked, all);
            });
  }

  private static Future<List<Hub.Watching>> watching(Hub hub, List<AskedRecord> asked) {
    Promise<List<Hub.Watching>> counted = Promise.promise();
    hub.post(() -> counted.complete(asked.stream().map(one -> hub.watching(one.topic())).toList()));
    return counted.future();
  }

  private Future<JsonObject> records(List<AskedRecord> asked, List<List<Hub.Watching>> counts) {
    Promise<JsonObject> answer = Promise.promise();
    feed.post(
        () -> {
          JsonArray records = new JsonArray();
          for (int i = 0; i < asked.size(); i++) {
            records.add(put(shown(asked.get(i)), i, counts));
          }
          answer.complete(new JsonObject().put("records", records));
        });
    return answer.future();
  }

  private static JsonObject put(JsonObject shown, int record, List<List<Hub.Watching>> counts) {
    List<Hub.Watching> of = new ArrayList<>();
    counts.forEach(hub -> of.add(hub.get(record)));
    return shown
        .put("registrations", of.stream().mapToInt(Hub.Watching::registrations).sum())
        .put("newestOnly", of.stream().mapToInt(Hub.Watching::newestOnly).sum());
  }

  private JsonObject shown(AskedRecord asked) {
    JsonObject shown = new JsonObject();
    Entry latest = feed.latest(asked.topic());
    if (latest != null) {
      shown.put("newest", latest.position().toString());
    }
    Entry entry = isOf(asked, latest) ? latest : feed.ring().find(asked.position());
    if (entry != null) {
      shown.put("fed", true);
      entry.heardMs().ifPresent(ms -> shown.put("fedMs", ms));
    }
    return shown;
  }

  private static boolean isOf(AskedRecord asked, @Nullable Entry latest) {
    return latest != null && latest.position().equals(asked.position());
  }
}
