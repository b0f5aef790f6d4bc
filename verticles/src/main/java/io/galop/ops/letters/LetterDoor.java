package io.galop.ops.letters;

import io.galop.bus.PublishLane;
import io.galop.bus.Refusal;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.record.Reason;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where records of letters come in: the bus door of this node, or of another that has the role
 * ingest. It judges each line as it does a publisher's, but asks a member of the cluster for no
 * token. On the loop of the port.
 */
final class LetterDoor {
  private static final int BATCH_LINES = 256;
  private static final int BATCH_CHARACTERS = 256 * 1024;
  private static final int MOST_ASKED = 2;
  private static final String UNANSWERED = "unanswered";
  private static final long PATIENCE_MS = 10_000;
  private static final long LEAST_PAUSE_MS = 50;
  private static final long MOST_PAUSE_MS = 2_000;

  /** Reasons of what the same record may be taken with a little later. */
  private static final Set<String> FOR_NOW =
      Set.of(Reason.UNAVAILABLE.word(), Reason.OVER_QUOTA.word(), PublishLane.SHUTDOWN);

  private final Loop loop;
  private final Supplier<List<String>> takers;
  private final BiFunction<String, String, Future<JsonObject>> bus;
  private final long patienceMs;

  LetterDoor(Node node, Loop loop) {
    this(loop, () -> takers(node), node.bus().publish()::publish, PATIENCE_MS);
  }

  /**
   * Of anything that takes lines.
   *
   * @param takers ids of nodes, the first is asked first
   * @param bus hands lines to a node
   * @param patienceMs for so long, what is not taken for now is sent again
   */
  LetterDoor(
      Loop loop,
      Supplier<List<String>> takers,
      BiFunction<String, String, Future<JsonObject>> bus,
      long patienceMs) {
    this.loop = loop;
    this.takers = takers;
    this.bus = bus;
    this.patienceMs = patienceMs;
  }

  /**
   * What became of a record.
   *
   * @param word {@code acknowledged}; {@code acknowledged_unchecked}, when it may have failed
   *     again; {@code failed_again}; {@code refused}; {@code unanswered}, when it may be stored;
   *     {@code unknown}
   * @param reason a word
   * @param why a sentence
   */
  record Outcome(String word, String reason, String why) {
    private static final Outcome ACKNOWLEDGED = new Outcome("acknowledged", "", "");
    private static final Outcome UNSENT =
        new Outcome("refused", "unsent", "it was not sent, as those before it were not taken");

    static Outcome refused(String reason, String why) {
      return new Outcome("refused", reason, why);
    }

    static Outcome unchecked(String why) {
      return new Outcome("acknowledged_unchecked", "unchecked", why);
    }

    boolean isAcknowledged() {
      return word.equals(ACKNOWLEDGED.word);
    }

    private boolean isForNow() {
      return word.equals("refused") && FOR_NOW.contains(reason);
    }

    /** What comes behind it must not be sent. */
    private boolean isUnsettled() {
      return isForNow() || word.equals(UNANSWERED);
    }
  }

  /** Nobody takes records now. */
  boolean isShut() {
    return takers.get().isEmpty();
  }

  /** This node first, if it takes records. */
  private static List<String> takers(Node node) {
    String self = node.bus().cluster().self().id();
    return node.bus().cluster().members().stream()
        .filter(member -> member.roles().contains(Role.INGEST))
        .sorted(
            Comparator.comparing((Member member) -> !member.id().equals(self))
                .thenComparing(Member::name))
        .limit(MOST_ASKED)
        .map(Member::id)
        .toList();
  }

  /**
   * Sends lines in their order, none before those in front of it are settled; what became of each.
   * Never fails.
   */
  Future<List<Outcome>> send(List<String> lines) {
    return send(lines, new ArrayList<>(), System.nanoTime() + patienceMs * 1_000_000);
  }

  private Future<List<Outcome>> send(List<String> lines, List<Outcome> done, long endNanos) {
    if (done.size() == lines.size()) {
      return Future.succeededFuture(done);
    }
    Outcome[] batch = new Outcome[batchLines(lines, done.size())];
    Arrays.fill(batch, Outcome.UNSENT);
    List<Integer> all = IntStream.range(0, batch.length).boxed().toList();
    return settle(lines.subList(done.size(), done.size() + batch.length), batch, all, endNanos)
        .compose(
            settled -> {
              done.addAll(List.of(batch));
              while (!settled && done.size() < lines.size()) {
                done.add(Outcome.UNSENT);
              }
              return send(lines, done, endNanos);
            });
  }

  private static int batchLines(List<String> lines, int from) {
    int to = from;
    int characters = 0;
    do {
      characters += lines.get(to++).length();
    } while (to < lines.size()
        && to - from < BATCH_LINES
        && characters + lines.get(to).length() < BATCH_CHARACTERS);
    return to - from;
  }

  /**
   * Sends those of a batch that are not settled, as often as there is time.
   *
   * @param outcomes of the batch, to be filled in
   * @return whether all are settled
   */
  private Future<Boolean> settle(
      List<String> batch, Outcome[] outcomes, List<Integer> open, long endNanos) {
    String lines = open.stream().map(batch::get).collect(Collectors.joining());
    return publish(lines, takers.get())
        .otherwise(failure -> unanswered(failure))
        .compose(
            answer -> {
              List<Outcome> told = outcomes(answer, open.size());
              IntStream.range(0, open.size()).forEach(i -> outcomes[open.get(i)] = told.get(i));
              List<Integer> left = open.stream().filter(line -> outcomes[line].isForNow()).toList();
              if (left.isEmpty() || System.nanoTime() - endNanos >= 0) {
                boolean isSettled = open.stream().noneMatch(line -> outcomes[line].isUnsettled());
                return Future.succeededFuture(isSettled);
              }
              return pause(answer).compose(now -> settle(batch, outcomes, left, endNanos));
            });
  }

  private Future<Void> pause(JsonObject answer) {
    Promise<Void> over = Promise.promise();
    long askedMs = answer.getLong("retryAfterMs", 0L);
    long pauseMs = Math.max(LEAST_PAUSE_MS, Math.min(MOST_PAUSE_MS, askedMs));
    loop.vertx().setTimer(pauseMs, fired -> over.complete());
    return loop.bring(over.future());
  }

  /** Who does not answer may have stored them: the ids are the same when another is asked. */
  private Future<JsonObject> publish(String lines, List<String> asked) {
    if (asked.isEmpty()) {
      return Future.failedFuture(
          new Refusal(Refusal.Why.NOT_READY, "no node with the role ingest is up"));
    }
    Future<JsonObject> answer = loop.bring(bus.apply(asked.get(0), lines));
    return asked.size() == 1
        ? answer
        : answer.transform(
            done ->
                done.failed() || PublishLane.SHUTDOWN.equals(done.result().getString("reason"))
                    ? publish(lines, asked.subList(1, asked.size()))
                    : answer);
  }

  /** Of an answer of the bus door. */
  static List<Outcome> outcomes(JsonObject answer, int lines) {
    List<Outcome> outcomes = new ArrayList<>();
    String error = answer.getString("error", "");
    Outcome all =
        error.isEmpty()
            ? Outcome.ACKNOWLEDGED
            : new Outcome(
                answer.getBoolean(UNANSWERED, false) ? UNANSWERED : "refused",
                answer.getString("reason", Reason.UNAVAILABLE.word()),
                error);
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

  private static JsonObject unanswered(Throwable failure) {
    String why =
        "no acknowledgement, but perhaps stored (%s); the same again does no harm"
            .formatted(ErrorText.of(failure));
    String reason = Refusal.word(Refusal.of(failure));
    return new JsonObject().put(UNANSWERED, true).put("error", why).put("reason", reason);
  }
}
