package io.galop.ops.cluster;

import io.galop.bus.Refusal;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Asks nodes for a report that they share. Belongs to the event loop of the port. */
final class ClusterReports {
  private final Vertx vertx;
  private final Node node;
  private final Loop loop;

  ClusterReports(Vertx vertx, Node node, Loop loop) {
    this.vertx = vertx;
    this.node = node;
    this.loop = loop;
  }

  /**
   * What nodes answered.
   *
   * @param given by the name of the node
   * @param unanswered why a node did not answer, by its name
   */
  record Answers(Map<String, JsonObject> given, Map<String, Unanswered> unanswered) {
    /** Nobody was asked. */
    static final Answers NONE = new Answers(Map.of(), Map.of());

    /** {@code [{"node":…,"why":…,"reason":…},…]}. */
    static JsonArray unanswered(Map<String, Unanswered> nodes) {
      JsonArray all = new JsonArray();
      nodes.forEach((name, one) -> all.add(one.json().put("node", name)));
      return all;
    }
  }

  /**
   * Why a node did not answer.
   *
   * @param reason a word for programs: {@code no_answer} if it said nothing at all
   */
  record Unanswered(String why, String reason) {
    static Unanswered of(Throwable failure) {
      return new Unanswered(ErrorText.of(failure), Refusal.reason(failure));
    }

    static Unanswered of(JsonObject json) {
      return new Unanswered(json.getString("why"), json.getString("reason"));
    }

    private JsonObject json() {
      return new JsonObject().put("why", why).put("reason", reason);
    }

    /** In sentences to operators. */
    @Override
    public String toString() {
      return why;
    }
  }

  /** All nodes with a role. */
  static Predicate<Member> with(Role role) {
    return member -> member.roles().contains(role);
  }

  /** Asks some nodes; never fails. */
  Future<Answers> ask(Predicate<Member> whom, String report, Map<String, String> parameters) {
    JsonObject given = new JsonObject();
    parameters.forEach(given::put);
    JsonObject question = new JsonObject().put("report", report).put("parameters", given);
    Answers answers = new Answers(new TreeMap<>(), new TreeMap<>());
    List<Future<?>> asked = new ArrayList<>();
    for (Member member : members()) {
      if (whom.test(member)) {
        asked.add(
            ask(member, question)
                .onSuccess(answer -> answers.given().put(member.name(), answer))
                .onFailure(
                    failure -> answers.unanswered().put(member.name(), Unanswered.of(failure))));
      }
    }
    Promise<Answers> all = loop.promise();
    Future.join(asked).onComplete(done -> all.complete(answers));
    return all.future();
  }

  /** Who can be asked. A relay has links to nodes inside, which carry no questions of operators. */
  List<Member> members() {
    return node.config().broadcast().link().isGiven()
        ? List.of(node.bus().cluster().self())
        : node.bus().cluster().members();
  }

  private Future<JsonObject> ask(Member member, JsonObject question) {
    return loop.bring(node.bus().operators().report(member.id(), question))
        .compose(text -> loop.bring(vertx.executeBlocking(() -> new JsonObject(text), false)));
  }
}
