package io.galop.persist.history;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.config.persist.HistoryConfig;
import io.galop.node.Node;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the nodes that keep records, within the {@link AnswerBudget}. On one event loop. */
final class ClusterSearch {
  /**
   * What is claimed for a page before it has come: less than the 4 MB of records that it may hold,
   * since the pages of nodes that are slow to answer hold nothing yet. It is put right then.
   */
  static final long PAGE_BYTES = 1024 * 1024;

  private static final long RECORD_BYTES = 4 * 1024;

  /** Pieces that wait for a client in a connection, in arrays of up to twice their length. */
  private static final long PLACE_BYTES = 256 * 1024;

  /** What an answer remembers of each record, and of how many at most for which it claims room. */
  private static final long ID_BYTES = 50;

  private static final int MOST_IDS = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(ClusterSearch.class);

  private final Node node;
  private final AnswerBudget budget;
  private final Computations computations;
  private final RolledSearch rolled;

  /** Names of the nodes that may keep records, whether they are there or not. */
  private final Set<String> keepers = new TreeSet<>();

  /**
   * The first pages.
   *
   * @param answers of the nodes that have answered
   * @param missing names of the nodes and stores that the answer is without
   * @param failure of the first node, if none has answered
   */
  record Found(List<NodeAnswer> answers, Set<String> missing, Optional<Throwable> failure) {}

  ClusterSearch(Node node, AnswerBudget budget) {
    this.node = node;
    this.budget = budget;
    this.computations = new Computations(history());
    this.rolled = new RolledSearch(node);
    see(node.bus().cluster().members());
    node.bus().cluster().onChange(this::see);
  }

  private void see(List<Member> members) {
    members.stream()
        .filter(member -> member.roles().contains(Role.PERSIST))
        .forEach(member -> keepers.add(member.name()));
  }

  private HistoryConfig history() {
    return node.config().persist().history();
  }

  /** Whether all records there may be are on this node. */
  boolean isAlone() {
    return keepers.equals(Set.of(node.bus().cluster().self().name()));
  }

  /** Rows are made here. */
  Computations computations() {
    return computations;
  }

  /** Records of all nodes that are there, not asked yet. */
  PartAnswers answers(HistoryRequest request) {
    return answers(request.asked(history().maxFolded()));
  }

  /** The same, and of roll-ups where all nodes have what rows are made of. Never fails. */
  Future<AnswerParts> parts(HistoryRequest request) {
    return rolled
        .coverage(request)
        .map(has -> new AnswerParts(parts(request, has.sinceUs()), has.missing()));
  }

  private List<PartAnswers> parts(HistoryRequest request, long sinceUs) {
    HistoryQuery all = request.asked(history().maxFolded());
    return RowPart.of(all.fromUs(), all.toUs(), sinceUs, all.newestFirst()).stream()
        .map(
            part ->
                part.isRolled()
                    ? rolled.answers(request, all.within(part.fromUs(), part.toUs()))
                    : answers(all.within(part.fromUs(), part.toUs())))
        .toList();
  }

  /**
   * Whom to ask for which times.
   *
   * @param all in the order of the answer
   * @param missing names of what it is without, whatever they answer
   */
  record AnswerParts(List<PartAnswers> all, Set<String> missing) {}

  private PartAnswers answers(HistoryQuery query) {
    List<NodeAnswer> answers =
        node.bus().cluster().members().stream()
            .filter(member -> member.roles().contains(Role.PERSIST))
            .map(member -> new NodeAnswer(member, query, page -> page(member, page)))
            .toList();
    return new PartAnswers(answers, false);
  }

  private Future<Page> page(Member member, HistoryQuery query) {
    return node.bus().history().query(member.id(), query, history().storeTimeoutMs());
  }

  /** For the pages of so many nodes, and for the answer itself. */
  AnswerBudget.Claim claim(AnswerHolder holder, HistoryRequest request, int nodes) {
    int limit = request.query().limit();
    boolean isSmall = limit <= HistoryRequest.DEFAULT_LIMIT && !request.shape().isComputed();
    return budget.claim(
        holder,
        isSmall ? AnswerRoom.Line.SMALL : AnswerRoom.Line.LARGE,
        request.shape().isComputed() ? 0 : Math.min(PAGE_BYTES, limit * RECORD_BYTES) * nodes,
        placeBytes() + ID_BYTES * Math.min(MOST_IDS, limit));
  }

  /** Of a body without what is known of its records. */
  long placeBytes() {
    return PLACE_BYTES + 2L * node.config().ingest().limits().largestRecordBytes();
  }

  /** Loads the first page of each; never fails. */
  Future<Found> load(List<NodeAnswer> asked) {
    List<Future<Void>> first = new ArrayList<>();
    asked.forEach(answer -> first.add(answer.load()));
    return Future.join(first).transform(done -> Future.succeededFuture(found(asked, first)));
  }

  private Found found(List<NodeAnswer> asked, List<Future<Void>> first) {
    List<NodeAnswer> answers = new ArrayList<>();
    Set<String> missing = new TreeSet<>(keepers);
    asked.forEach(answer -> missing.remove(answer.member().name()));
    for (int i = 0; i < asked.size(); i++) {
      String name = asked.get(i).member().name();
      if (first.get(i).succeeded()) {
        answers.add(asked.get(i));
        asked.get(i).missing().forEach(store -> missing.add(name + "/" + store));
      } else {
        LOG.warn("a history answer omits node {}: {}", name, first.get(i).cause().getMessage());
        missing.add(name);
      }
    }
    return new Found(
        answers, missing, answers.isEmpty() ? Optional.of(first.get(0).cause()) : Optional.empty());
  }
}
