package io.galop.presence;

import io.galop.cluster.Member;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.presence.PresenceCount.Missing;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks all nodes who watches, and puts their answers together. For one event loop. */
public final class ClusterPresence {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPresence.class);

  private final Node node;
  private final Loop loop;

  public ClusterPresence(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
  }

  /**
   * Asks all members. Never fails: who has not answered in time is missing.
   *
   * @return on the loop
   */
  public Future<PresenceCount> ask(PresenceQuestion question, long timeoutMs) {
    JsonObject parameters = new JsonObject();
    question.parameters().forEach(parameters::put);
    JsonObject report =
        new JsonObject().put("report", PresenceReport.NAME).put("parameters", parameters);
    Map<String, JsonObject> given = new HashMap<>();
    Map<String, String> unanswered = new HashMap<>();
    List<Future<?>> asked = new ArrayList<>();
    for (Member member : members()) {
      asked.add(
          loop.within(timeoutMs, "the answer", node.bus().operators().report(member.id(), report))
              .map(JsonObject::new)
              .onSuccess(answer -> given.put(member.name(), answer))
              .onFailure(failure -> unanswered.put(member.name(), ErrorText.of(failure))));
    }
    int filters = question.filters().size();
    return Future.join(asked)
        .transform(
            done -> Future.succeededFuture(border(PresenceCount.of(filters, given, unanswered))))
        .otherwise(ClusterPresence::unknown);
  }

  private static PresenceCount unknown(Throwable fault) {
    LOG.warn("answers cannot be put together", fault);
    return new PresenceCount(List.of(), List.of(new Missing("node", "all", ErrorText.of(fault))));
  }

  /** Over the links of a relay nobody asks for viewers: it knows its own. */
  private PresenceCount border(PresenceCount count) {
    return isRelay()
        ? count.without(
            new Missing("node", "inside", "a relay knows its own viewers, and those behind it"))
        : count;
  }

  private boolean isRelay() {
    return node.config().broadcast().link().isGiven();
  }

  /** Without those that only publish, from a command line: they have no viewers. */
  private List<Member> members() {
    return isRelay()
        ? List.of(node.bus().cluster().self())
        : node.bus().cluster().members().stream()
            .filter(member -> !member.roles().isEmpty())
            .toList();
  }
}
