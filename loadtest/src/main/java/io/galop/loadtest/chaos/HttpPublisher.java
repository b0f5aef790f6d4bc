package io.galop.loadtest.chaos;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends requests of several lines, one after the other. */
public final class HttpPublisher extends SteadyPublisher {
  private static final int MOST_LINES = 200;
  private static final long PAUSE_MS = 20;

  private final HttpPublishing door;

  /**
   * @param doors of nodes, as in http://127.0.0.1:8080; the first is tried first
   */
  public HttpPublisher(
      HttpClient client,
      PublishedRecords ledger,
      String name,
      List<String> doors,
      int topics,
      double perSecond) {
    super(ledger, name, doors, topics, perSecond);
    this.door = new HttpPublishing(client, ledger);
  }

  @Override
  void publish(String to) throws IOException, InterruptedException {
    while (!isClosed()) {
      due();
      List<PublishedRecords.Entry> all = waiting();
      if (!all.isEmpty()) {
        door.send(to, new ArrayList<>(all.subList(0, most(all))));
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
