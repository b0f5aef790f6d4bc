package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Records that are numbered, on topics of all shards: {@code a/<n mod 40>}, id {@code r<n>}. */
final class Counted {
  static final int TOPICS = 40;
  private final TreeSet<Integer> acknowledged = new TreeSet<>();
  private int next;

  /** Publishes so many as one request, which must be acknowledged as a whole. */
  void publish(GalopProcess to, int count) throws Exception {
    HttpResponse<String> answer = post(to, next, count);
    assertEquals(202, answer.statusCode(), answer.body());
    JsonObject body = new JsonObject(answer.body());
    assertEquals(count, body.getInteger("accepted"), answer.body());
    for (int n = next; n < next + count; n++) {
      acknowledged.add(n);
    }
    next += count;
  }

  private static HttpResponse<String> post(GalopProcess to, int first, int count) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n = first; n < first + count; n++) {
      lines.append(
          "{\"topic\":\"a/%d\",\"id\":\"r%d\",\"time\":%d,\"data\":{\"n\":%d}}\n"
              .formatted(n % TOPICS, n, 1_700_000_000_000_000L + n, n));
    }
    return Stored.post(to.http("/publish"), "application/x-ndjson", lines.toString());
  }

  /** Ids of all that was acknowledged. */
  TreeSet<String> ids() {
    TreeSet<String> ids = new TreeSet<>();
    acknowledged.forEach(n -> ids.add("r" + n));
    return ids;
  }

  /** Ids of the last records of all topics. */
  Set<String> newest() {
    return IntStream.range(next - TOPICS, next).mapToObj(n -> "r" + n).collect(Collectors.toSet());
  }
}
