package io.galop.ops.letters;

import io.galop.bus.Refusal;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Where records of letters come in: the bus door of this node, or of another that has the role
 * ingest. It judges each line as it does a publisher's, but asks a member of the cluster for no
 * token. On the loop of the port.
 */
final class LetterDoor {
  private static final int BATCH_LINES = 256;
  private static final int BATCH_CHARACTERS = 256 * 1024;
  private static final int MOST_ASKED = 2;

  private final Node node;
  private final Loop loop;

  LetterDoor(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
  }

  /**
   * What became of a record.
   *
   * @param word {@code acknowledged}; {@code refused}; {@code unanswered}, when it may be stored
   * @param reason a word
   * @param why a sentence
   */
  record Outcome(String word, String reason, String why) {
    private static final Outcome ACKNOWLEDGED = new Outcome("acknowledged", "", "");
    private static final Outcome UNSENT =
        new Outcome("refused", "unsent", "it was not sent, as those before it were not answered");

    static Outcome refused(String reason, String why) {
      return new Outcome("refused", reason, why);
    }

    boolean isAcknowledged() {
      return word.equals(ACKNOWLEDGED.word);
    }
  }

  /** Nobody takes records now. */
  boolean isShut() {
    return takers().isEmpty();
  }

  /** This node first, if it takes records. */
  private List<Member> takers() {
    String self = node.bus().cluster().self().id();
    return node.bus().cluster().members().stream()
        .filter(member -> member.roles().contains(Role.INGEST))
        .sorted(
            Comparator.comparing((Member member) -> !member.id().equals(self))
                .thenComparing(Member::name))
        .limit(MOST_ASKED)
        .toList();
  }

  /** Sends lines in their order; what became of each. Never fails. */
  Future<List<Outcome>> send(List<String> lines) {
    return send(lines, new ArrayList<>());
  }

  private Future<List<Outcome>> send(List<String> lines, List<Outcome> done) {
    if (done.size() == lines.size()) {
      return Future.succeededFuture(done);
    }
    int to = done.size();
    int characters = 0;
    do {
      characters += lines.get(to++).length();
    } while (to < lines.size()
        && to - done.size() < BATCH_LINES
        && characters + lines.get(to).length() < BATCH_CHARACTERS);
    List<String> batch = lines.subList(done.size(), to);
    return publish(String.join("", batch), takers())
        .map(answer -> outcomes(answer, batch.size()))
        .otherwise(failure -> unanswered(failure, batch.size()))
        .compose(
            outcomes -> {
              done.addAll(outcomes);
              if (outcomes.get(0).word().equals("unanswered")) {
                while (done.size() < lines.size()) {
                  done.add(Outcome.UNSENT);
                }
              }
              return send(lines, done);
            });
  }

  /** Who does not answer may have stored them: the ids are the same when another is asked. */
  private Future<JsonObject> publish(String lines, List<Member> takers) {
    if (takers.isEmpty()) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.NOT_READY, "no node with the role ingest is up"));
    }
    Future<JsonObject> answer = loop.bring(node.bus().publish().publish(takers.get(0).id(), lines));
    return takers.size() == 1
        ? answer
        : answer.recover(failure -> publish(lines, takers.subList(1, takers.size())));
  }

  /** Of an answer of the bus door. */
  static List<Outcome> outcomes(JsonObject answer, int lines) {
    List<Outcome> outcomes = new ArrayList<>();
    String error = answer.getString("error", "");
    Outcome all =
        error.isEmpty()
            ? Outcome.ACKNOWLEDGED
            : Outcome.refused(answer.getString("reason", "unavailable"), error);
    for (int i = 0; i < lines; i++) {
      outcomes.add(all);
    }
    JsonArray rejected = answer.getJsonArray("rejected", new JsonArray());
    for (int i = 0; i < rejected.size(); i++) {
      JsonObject one = rejected.getJsonObject(i);
      outcomes.set(
          one.getInteger("line") - 1,
          Outcome.refused(one.getString("reason", ""), one.getString("detail", "")));
    }
    return outcomes;
  }

  private static List<Outcome> unanswered(Throwable failure, int lines) {
    String why =
        "no acknowledgement, but perhaps stored (%s); the same again does no harm"
            .formatted(ErrorText.of(failure));
    Outcome each = new Outcome("unanswered", Refusal.word(Refusal.of(failure)), why);
    return Collections.nCopies(lines, each);
  }
}
