package io.galop.presence;

import io.galop.node.BoundedQuestions;
import io.galop.node.Node;
import io.galop.record.TopicFilter;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /presence?topic=…} or {@code ?filter=…}: how many viewers have a registration that
 * means the topic, or some topic of the filter. So many questions at once; more get 503. On the
 * event loop of the port, which has to have looked who asks.
 */
public final class PresenceEndpoint {
  /** Its path. */
  public static final String PATH = "/presence";

  private static final int MOST_UNDER_WAY = 8;
  private static final long TIMEOUT_MS = 3_000;

  private final ClusterPresence presence;
  private final boolean namesNodes;
  private final int maxFilterBytes;
  private final BoundedQuestions questions;

  /**
   * @param namesNodes whether the answer says which nodes and relays have the viewers
   */
  public PresenceEndpoint(Node node, Loop loop, boolean namesNodes) {
    this.presence = new ClusterPresence(node, loop);
    this.namesNodes = namesNodes;
    this.maxFilterBytes =
        Math.min(node.config().broadcast().maxFilterBytes(), PresenceQuestion.MOST_FILTER_BYTES);
    this.questions =
        new BoundedQuestions(
            MOST_UNDER_WAY,
            Counter.builder("galop.presence.refused")
                .description(
                    "Questions who watches that were refused, since too many were under way")
                .register(node.meters()));
  }

  /** Answers what comes to {@link #PATH}, by the methods that the port has. */
  public void mount(Route route) {
    route.handler(request -> questions.answer(request, () -> count(request)));
  }

  private Future<Buffer> count(RoutingContext request) {
    JsonObject answer = new JsonObject();
    PresenceQuestion question = read(request, answer);
    long askedNanos = System.nanoTime();
    return presence
        .ask(question, TIMEOUT_MS)
        .map(count -> told(answer, count, askedNanos).toBuffer());
  }

  /** The oldest part was counted after the question was put. */
  private JsonObject told(JsonObject answer, PresenceCount count, long askedNanos) {
    long ageMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - askedNanos);
    return answer.mergeIn(namesNodes ? count.detailed() : count.plain()).put("ageMs", ageMs);
  }

  private PresenceQuestion read(RoutingContext request, JsonObject answer) {
    List<String> topics = request.queryParam("topic");
    List<String> filters = request.queryParam("filter");
    if (topics.size() + filters.size() != 1) {
      throw new IllegalArgumentException("give one topic, or one filter");
    }
    String name = topics.isEmpty() ? "filter" : "topic";
    String text = topics.isEmpty() ? filters.get(0) : topics.get(0);
    TopicFilter filter = TopicFilter.parse(text, maxFilterBytes);
    if (!filter.isExact() && filters.isEmpty()) {
      throw new IllegalArgumentException("topic must not have wildcards; give it as filter");
    }
    answer.put(name, text);
    return PresenceQuestion.ofAll(filter);
  }
}
