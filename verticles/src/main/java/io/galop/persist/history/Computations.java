package io.galop.persist.history;

import io.galop.bus.HistoryLane;
import io.galop.bus.HistoryQuery;
import io.galop.cluster.Member;
import io.galop.config.persist.HistoryConfig;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers with rows, so many at a time: more are refused. On one event loop. */
final class Computations {
  private static final Logger LOG = LoggerFactory.getLogger(Computations.class);
  private static final String BUSY =
      "persist.history.maxFolds answers are computed already; ask again";

  private final HistoryConfig config;
  private final HistoryLane lane;
  private final Optional<RollupSearch> rollups;
  private int underWay;

  /**
   * None yet.
   *
   * @param own what this node has, if it stores records itself
   */
  Computations(Node node, Optional<HistoryAnswers> own) {
    this.config = node.config().persist().history();
    this.lane = node.bus().history();
    this.rollups = own.flatMap(HistoryAnswers::rollups);
  }

  /**
   * Answers from roll-ups what they tell, on a node that alone has records, and the rest from
   * those.
   *
   * @param self this node
   * @param otherwise answers where the roll-ups cannot be read
   * @return false if they can tell nothing of it: then nothing is done
   */
  boolean runRolled(
      HttpServerResponse response,
      HistoryRequest request,
      Member self,
      BiConsumer<HttpServerResponse, HistoryRequest> otherwise) {
    Optional<RollupSearch> search = rollups.filter(one -> one.mayTell(request));
    if (search.isEmpty()) {
      return false;
    }
    if (underWay == config.maxFolds()) {
      HistoryReply.busy(response, BUSY);
      return true;
    }
    underWay++;
    Vertx.currentContext()
        .executeBlocking(() -> search.get().find(request, config.maxFolded()), false)
        .onComplete(done -> underWay--)
        .onSuccess(rolled -> load(response, request, self, rolled))
        .onFailure(
            failure -> {
              if (failure instanceof IllegalArgumentException) {
                HistoryReply.refuse(response, ErrorText.of(failure));
              } else {
                LOG.warn("the roll-ups cannot be read; rows are made of records", failure);
                otherwise.accept(response, request);
              }
            });
    return true;
  }

  private void load(
      HttpServerResponse response, HistoryRequest request, Member self, Rolled rolled) {
    List<NodeAnswer> before = rolled.before().map(query -> part(self, query)).stream().toList();
    List<NodeAnswer> behind = rolled.behind().map(query -> part(self, query)).stream().toList();
    List<NodeAnswer> all = Stream.concat(before.stream(), behind.stream()).toList();
    Future.join(all.stream().map(NodeAnswer::load).toList())
        .onFailure(
            failure ->
                HistoryReply.unavailable(response, "no node can answer: " + ErrorText.of(failure)))
        .onSuccess(
            loaded -> {
              Set<String> missing = new TreeSet<>();
              all.forEach(
                  one -> one.missing().forEach(store -> missing.add(self.name() + "/" + store)));
              run(response, request, new RowSource(before, Optional.of(rolled), behind), missing);
            });
  }

  private NodeAnswer part(Member self, HistoryQuery query) {
    return new NodeAnswer(lane, self, query, config.storeTimeoutMs());
  }

  /**
   * Computes and answers.
   *
   * @param answers whose first pages are loaded
   * @param missing names of the nodes and stores that the answer is without
   */
  void run(
      HttpServerResponse response,
      HistoryRequest request,
      List<NodeAnswer> answers,
      Set<String> missing) {
    run(response, request, new RowSource(answers, Optional.empty(), List.of()), missing);
  }

  private void run(
      HttpServerResponse response, HistoryRequest request, RowSource source, Set<String> missing) {
    if (underWay == config.maxFolds()) {
      HistoryReply.busy(response, BUSY);
      return;
    }
    Computation computation =
        new Computation(
            request,
            source,
            Vertx.currentContext(),
            config.maxFolded(),
            config.maxLimit(),
            response::closed);
    underWay++;
    computation
        .run()
        .onComplete(done -> underWay--)
        .onSuccess(answer -> HistoryReply.send(response, request.form(), missing, answer))
        .onFailure(
            failure -> {
              if (failure instanceof IllegalArgumentException) {
                HistoryReply.refuse(response, ErrorText.of(failure));
              } else {
                HistoryReply.unavailable(response, ErrorText.of(failure));
              }
            });
  }
}
