package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.bus.RolledQuery;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.record.View;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Asks the nodes that keep records for rows of their roll-ups. On one event loop. */
final class RolledSearch {
  private final Node node;

  RolledSearch(Node node) {
    this.node = node;
  }

  /**
   * Whether rows may come from roll-ups at all: none have values of the records that a view leaves,
   * and without rules here nobody is asked.
   */
  private boolean isPossible(HistoryRequest request) {
    return !node.config().persist().rollups().rules().isEmpty()
        && RowPart.canBeRolled(request.shape().everyUs())
        && request.view().equals(View.WHOLE);
  }

  private List<Member> keepers() {
    return node.bus().cluster().members().stream()
        .filter(member -> member.roles().contains(Role.PERSIST))
        .toList();
  }

  /**
   * What nodes have.
   *
   * @param sinceUs from when on all of them have all that is asked for; {@link Long#MAX_VALUE} if
   *     rows are to be made of records
   * @param missing whose roll-ups the answer is without, as {@code node/rollups}
   */
  record Coverage(long sinceUs, Set<String> missing) {
    static final Coverage NONE = new Coverage(Long.MAX_VALUE, Set.of());
  }

  /** Asks all nodes. Never fails: who does not answer is missing. */
  Future<Coverage> coverage(HistoryRequest request) {
    if (!isPossible(request)) {
      return Future.succeededFuture(Coverage.NONE);
    }
    List<Member> keepers = keepers();
    List<Future<JsonObject>> all =
        keepers.stream()
            .map(
                member ->
                    node.bus()
                        .history()
                        .rolledSince(member.id(), question(request, request.query())))
            .toList();
    return Future.join(all)
        .transform(
            done -> Future.succeededFuture(coverage(request.query().fromUs(), keepers, all)));
  }

  /** Rows come from roll-ups if all nodes have them; of others it is told where some should. */
  private static Coverage coverage(
      long fromUs, List<Member> keepers, List<Future<JsonObject>> answers) {
    Set<String> missing = new TreeSet<>();
    Set<String> unmeant = new TreeSet<>();
    long since = Long.MIN_VALUE;
    for (int i = 0; i < answers.size(); i++) {
      String name = keepers.get(i).name() + "/rollups";
      JsonObject answer = answers.get(i).result();
      if (answer == null) {
        missing.add(name);
      } else if (!answer.getBoolean("isMeant")) {
        unmeant.add(name);
      } else {
        since = Math.max(since, answer.getLong("sinceUs"));
        if (fromUs < answer.getLong("lostUs")) {
          missing.add(name);
        }
      }
    }
    boolean isAnyMeant = unmeant.size() < answers.size();
    if (isAnyMeant) {
      missing.addAll(unmeant);
    }
    boolean haveAll = unmeant.isEmpty() && answers.stream().allMatch(Future::succeeded);
    return new Coverage(haveAll ? since : Long.MAX_VALUE, missing);
  }

  private static RolledQuery question(HistoryRequest request, HistoryQuery query) {
    return new RolledQuery(query, request.shape().everyUs(), request.shape().fields());
  }

  /** Of all nodes that are there, not asked yet. */
  PartAnswers answers(HistoryRequest request, HistoryQuery query) {
    long storesMs = node.config().persist().history().storeTimeoutMs();
    return new PartAnswers(
        keepers().stream()
            .map(
                member ->
                    new NodeAnswer(
                        member,
                        query,
                        page ->
                            node.bus()
                                .history()
                                .rolled(member.id(), question(request, page), storesMs)))
            .toList(),
        true);
  }
}
