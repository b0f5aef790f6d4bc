package io.galop.persist.history;

import io.galop.jvm.ErrorText;
import io.galop.vertx.HttpChannels;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One answer, from the question to its last byte: it waits for room, asks the nodes, and writes
 * what they say. On the event loop of its client.
 */
final class AnswerRun implements AnswerHolder {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerRun.class);

  private final ClusterSearch search;
  private final HttpServerRequest http;
  private final HttpServerResponse response;
  private final HistoryRequest request;
  private final Consumer<ByteBuf> onWhole;

  /** Whom to ask for which times, in the order of the answer; more than one of rows only. */
  private List<PartAnswers> parts;

  /** Whose roll-ups the answer is without. */
  private Set<String> unrolled = Set.of();

  private final AnswerBudget.Claim claim;

  /** Of those who have asked the same; empty as soon as they do not wait for this answer. */
  private Optional<AnswerCache.Lead> lead;

  /** Whether it is counted as one that is computed. */
  private boolean hasSlot;

  /** From then on the search sees to its end itself, also when the client goes. */
  private boolean hasBegun;

  /** Null before something is written. */
  private @Nullable HistoryBody body;

  /**
   * Of a request that is not answered yet.
   *
   * @param lead of those who have asked the same; it is ended in any case
   * @param onWhole writes an answer that is there as a whole, instead of this
   */
  AnswerRun(
      ClusterSearch search,
      HttpServerRequest http,
      HistoryRequest request,
      Optional<AnswerCache.Lead> lead,
      Consumer<ByteBuf> onWhole) {
    this.search = search;
    this.http = http;
    this.response = http.response();
    this.request = request;
    this.lead = lead;
    this.onWhole = onWhole;
    this.parts = List.of(search.answers(request));
    this.claim = search.claim(this, request, parts.get(0).answers().size());
  }

  void start() {
    if (response.closed()) {
      giveUp();
    } else if (parts.get(0).answers().isEmpty()) {
      unavailable("no node with the role persist is up; try again later");
    } else {
      response.closeHandler(gone -> gone());
      claim.take();
    }
  }

  private void gone() {
    if (!hasBegun) {
      giveUp();
    }
  }

  /** Nothing more comes of it; may come more than once. */
  private void giveUp() {
    freeSlot();
    claim.end();
    noLead();
  }

  private void freeSlot() {
    if (hasSlot) {
      hasSlot = false;
      search.computations().end();
    }
  }

  private void noLead() {
    lead.ifPresent(AnswerCache.Lead::giveUp);
    lead = Optional.empty();
  }

  private void unavailable(String why) {
    giveUp();
    HistoryReply.unavailable(response, why);
  }

  private void noNode(Throwable failure) {
    if (response.headWritten()) {
      giveUp();
      HttpChannels.reset(http);
    } else {
      unavailable("no node can answer: " + ErrorText.of(failure));
    }
  }

  @Override
  public void refuse(String why) {
    giveUp();
    HistoryReply.busy(response, why);
  }

  @Override
  public void begin() {
    hasBegun = true;
    hasSlot = request.shape().isComputed() && search.computations().begin();
    if (request.shape().isComputed() && !hasSlot) {
      refuse(Computations.BUSY);
      return;
    }
    if (request.shape().isComputed()) {
      guarded(
          () ->
              search
                  .parts(request)
                  .onSuccess(found -> guarded(() -> load(found.all(), found.missing())))
                  .onFailure(this::noNode));
    } else {
      guarded(() -> load(parts, Set.of()));
    }
  }

  private void load(List<PartAnswers> all, Set<String> without) {
    parts = all;
    unrolled = without;
    search
        .load(parts.get(0).answers())
        .onSuccess(found -> guarded(() -> loaded(found)))
        .onFailure(this::noNode);
  }

  /** Whatever happens, nobody is left waiting, and nothing held. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.warn("a history answer failed", e);
      noNode(e);
    }
  }

  private void loaded(ClusterSearch.Found found) {
    if (request.shape().isComputed()) {
      compute(found);
    } else if (found.failure().isPresent()) {
      noNode(found.failure().get());
    } else if (response.closed() && lead.isEmpty()) {
      giveUp();
    } else {
      write(parts.get(0).with(found.answers()), found.missing());
    }
  }

  private void compute(ClusterSearch.Found found) {
    if (found.failure().isPresent() || response.closed()) {
      found.failure().ifPresentOrElse(this::noNode, this::giveUp);
      return;
    }
    List<PartAnswers> loaded = new ArrayList<>(parts);
    loaded.set(0, parts.get(0).with(found.answers()));
    search
        .computations()
        .run(
            response,
            request,
            loaded,
            rows -> guarded(() -> rows(rows, without(found))),
            this::giveUp);
  }

  private Set<String> without(ClusterSearch.Found found) {
    Set<String> missing = new TreeSet<>(found.missing());
    missing.addAll(unrolled);
    return missing;
  }

  private void write(PartAnswers loaded, Set<String> missing) {
    if (loaded.areLast()) {
      claim.holdPages(loaded.bytes());
    } else {
      claim.holdAtLeast(loaded.bytes());
    }
    if (lead.isPresent() && missing.isEmpty()) {
      share(new Rendering(request, loaded.answers()), lead.get());
    } else if (response.closed()) {
      giveUp();
    } else {
      noLead();
      HistoryReply.head(response, request.form(), missing);
      body = new HistoryBody(http, new Rendering(request, loaded.answers()), claim);
      body.write();
    }
  }

  private void rows(Computation.Answer rows, Set<String> missing) {
    freeSlot();
    if (response.closed()) {
      giveUp();
    } else {
      claim.holdBody(search.placeBytes() + rows.body().length());
      HistoryReply.head(response, request.form(), missing, rows);
      body = new HistoryBody(http, new WholePieces(rows.body()), claim);
      body.write();
    }
  }

  private void share(Rendering rendering, AnswerCache.Lead leads) {
    new SharedBody(
            rendering,
            leads,
            whole -> {
              claim.end(); // the cache counts its bytes from here on
              onWhole.accept(whole);
            },
            begun -> stream(rendering, begun, leads),
            this::noNode)
        .gather();
  }

  private void stream(Rendering rendering, List<Buffer> begun, AnswerCache.Lead leads) {
    if (response.closed()) {
      rendering.close();
      giveUp();
    } else {
      HistoryReply.head(response, request.form(), Set.of());
      body = new HistoryBody(http, rendering, claim, begun, leads::giveUp);
      body.write();
    }
  }

  @Override
  public void setPagesAside() {
    if (body != null) {
      body.setPagesAside();
    }
  }

  @Override
  public void goOn() {
    if (body != null) {
      body.goOn();
    }
  }

  @Override
  public void cutOff() {
    if (body != null) {
      body.cutOff();
    }
  }
}
