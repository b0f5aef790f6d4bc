package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.bus.RolledQuery;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.node.Node;
import io.galop.record.View;
import io.vertx.core.Future;
import java.util.List;

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
   * From when on all nodes have all that is asked for; {@link Long#MAX_VALUE} if one has not, or
   * does not say so. Never fails.
   */
  Future<Long> since(HistoryRequest request) {
    if (!isPossible(request)) {
      return Future.succeededFuture(Long.MAX_VALUE);
    }
    List<Future<Long>> all =
        keepers().stream()
            .map(
                member ->
                    node.bus()
                        .history()
                        .rolledSince(member.id(), question(request, request.query())))
            .toList();
    return Future.all(all)
        .map(done -> all.stream().mapToLong(Future::result).max().orElse(Long.MAX_VALUE))
        .otherwise(Long.MAX_VALUE);
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
