package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.broadcast.sockjs.RawHttp;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A session by xhr-polling whose polls go over some connections in turn. */
final class Poller {
  private final String url;
  private final RawHttp[] connections;
  private int turn;

  /** Opens a session with this id. */
  Poller(String id, RawHttp... connections) throws IOException {
    this.connections = connections;
    url = "/live/1/" + id;
    assertEquals("o\n", poll());
  }

  /** The session's address. */
  String url() {
    return url;
  }

  String poll() throws IOException {
    return next().post(url + "/xhr", "").body();
  }

  private RawHttp next() {
    return connections[turn++ % connections.length];
  }

  void say(JsonObject message) throws IOException {
    String body = new JsonArray().add(message.encode()).encode();
    assertEquals(204, next().post(url + "/xhr_send", body).status());
  }

  Poller watching(String filter) throws IOException {
    say(new JsonObject().put("type", "register").put("address", filter));
    say(new JsonObject().put("type", "ping"));
    while (SockClient.messages(poll()).stream()
        .noneMatch(message -> message.getString("type").equals("pong"))) {
      continue;
    }
    return this;
  }

  List<String> ids(int records) throws IOException {
    List<String> ids = new ArrayList<>();
    while (ids.size() < records) {
      String frame = poll();
      if (!frame.equals("h\n")) {
        SockClient.messages(frame)
            .forEach(record -> ids.add(record.getJsonObject("body").getString("id")));
      }
    }
    return ids;
  }
}
