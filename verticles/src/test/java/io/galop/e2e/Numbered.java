package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Numbered records on topics of their own: {@code <prefix>/<n mod topics>}, id {@code
 * <prefix>-<n>}.
 */
final class Numbered {
  private final GalopProcess to;
  private final String prefix;
  private final int topics;
  private int next;

  Numbered(GalopProcess to, String prefix, int topics) {
    this.to = to;
    this.prefix = prefix;
    this.topics = topics;
  }

  String filter() {
    return prefix + "/#";
  }

  /** Publishes so many; they are on disk when this returns. Their ids. */
  List<String> publish(int count) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = next; n < next + count; n++) {
      JsonObject line =
          new JsonObject()
              .put("topic", prefix + "/" + n % topics)
              .put("id", prefix + "-" + n)
              .put("data", new JsonObject().put("n", n));
      lines.append(line.encode()).append('\n');
    }
    HttpResponse<String> answer =
        Stored.post(to.http("/publish"), "application/x-ndjson", lines.toString());
    if (answer.statusCode() != 202) {
      throw new AssertionError(answer.statusCode() + ": " + answer.body());
    }
    next += count;
    return ids(next - count, next);
  }

  /** All ids so far. */
  List<String> all() {
    return ids(0, next);
  }

  /** Ids of the last record of each topic. */
  List<String> newest() {
    return ids(next - topics, next);
  }

  private List<String> ids(int from, int to) {
    List<String> ids = new ArrayList<>();
    IntStream.range(from, to).forEach(n -> ids.add(prefix + "-" + n));
    return ids;
  }
}
