package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends requests of several lines, one after the other. */
final class HttpPublisher extends SteadyPublisher {
  private static final int MOST_LINES = 200;
  private static final long PAUSE_MS = 20;

  private final HttpPublishing door;

  HttpPublisher(
      HttpClient client,
      PublishedRecords ledger,
      String name,
      List<String> hosts,
      int topics,
      double perSecond) {
    super(ledger, name, hosts, topics, perSecond);
    this.door = new HttpPublishing(client, ledger);
  }

  @Override
  void publish(String to) throws IOException, InterruptedException {
    while (!isClosed()) {
      due();
      List<PublishedRecords.Entry> all = waiting();
      if (!all.isEmpty()) {
        door.send(
            "http://" + to + ":" + FaultyNode.HTTP, new ArrayList<>(all.subList(0, most(all))));
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }

  private static int most(List<PublishedRecords.Entry> all) {
    return Math.min(MOST_LINES, all.size());
  }

  /** Reasons after which the same record may be sent again. */
  static boolean isForNow(JsonObject rejection) {
    String reason = rejection.getString("reason", "");
    return reason.equals("over_quota") || reason.equals("unavailable");
  }
}
