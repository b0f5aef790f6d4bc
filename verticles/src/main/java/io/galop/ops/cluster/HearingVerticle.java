package io.galop.ops.cluster;

import io.galop.bus.Bus;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.node.Reports;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks all other nodes for their time by their addresses in the cluster: that a node is a member
 * does not mean that messages reach it. Where nobody answers, this node is unready until somebody
 * does. Tells them when it goes, so that nobody misses it. On one event loop.
 */
public final class HearingVerticle extends VerticleBase {
  private static final String PART = "cluster";
  private static final String LOST = "lost nodes";

  /** The report by which a node is told that another goes; what asks has been told then. */
  private static final String LEAVES = "leaves";

  private static final long TELLING_MS = 2_000;

  private final Bus bus;
  private final Reports reports;
  private final Readiness readiness;
  private final Hearing hearing;
  private final LostNodes lost = new LostNodes();
  private volatile int silent;

  HearingVerticle(Node node) {
    this.bus = node.bus();
    this.reports = node.reports();
    this.readiness = node.readiness();
    this.hearing =
        new Hearing(
            bus.cluster().self().id(),
            Hearing.silentAt(node.config().cluster().maxSilenceSeconds()));
    FunctionCounter.builder("galop.cluster.consumers.lost", bus.cluster(), Cluster::lostConsumers)
        .description("Consumers of this node that the cluster lost, and that were entered again")
        .register(node.meters());
    Gauge.builder("galop.cluster.unheard", () -> silent)
        .description("Nodes of the cluster that do not answer this one over the event bus")
        .register(node.meters());
  }

  /** Deploys one on a node that others are members with; a relay asks nobody over the bus. */
  public static Future<?> deploy(Vertx vertx, Node node) {
    return node.config().cluster().isClustered()
        ? vertx.deployVerticle(new HearingVerticle(node))
        : Future.succeededFuture();
  }

  @Override
  public Future<?> start() {
    Loop loop = Loop.of(context);
    reports.share(LEAVES, told -> loop.call(() -> leaves(told.getOrDefault("node", ""))));
    vertx.setPeriodic(Hearing.ASK_MS, timer -> askAll());
    return Future.succeededFuture();
  }

  private Future<JsonObject> leaves(String node) {
    lost.leaves(node);
    return Future.succeededFuture(new JsonObject());
  }

  /** Whoever does not take the word in time misses this node for an hour, and that is all. */
  @Override
  public Future<?> stop() {
    JsonObject self = new JsonObject().put("node", bus.cluster().self().id());
    JsonObject word = new JsonObject().put("report", LEAVES).put("parameters", self);
    List<Future<Buffer>> told =
        others().map(other -> bus.operators().report(other.id(), word)).toList();
    return Loop.of(context)
        .within(TELLING_MS, "the word that this node goes", Future.join(told))
        .otherwiseEmpty();
  }

  private void askAll() {
    lost.look(nodes(), Instant.now())
        .ifPresentOrElse(
            missing ->
                readiness.warnFrom(
                    LOST,
                    missing.what(),
                    "start it again, unless it was to go: then this ends within an hour",
                    missing.since()),
            () -> readiness.calm(LOST, "all nodes are in the cluster"));
    others().forEach(member -> ask(member.id()));
    judge();
  }

  private void ask(String node) {
    bus.clock()
        .reach(node)
        .onSuccess(answer -> hearing.answered(node))
        .onFailure(silence -> hearing.missed(node))
        .onComplete(known -> judge());
  }

  private void judge() {
    List<Member> members = nodes();
    Hearing.Verdict verdict = hearing.verdict(members.stream().map(Member::id).toList());
    silent = verdict.silent().size();
    if (verdict.silent().isEmpty()) {
      readiness.calm(PART, "all nodes answer over the event bus");
    } else {
      readiness.warn(
          PART,
          "over the event bus no answer of " + names(members, verdict.silent()),
          "see GalopWarning in the runbook");
    }
    if (verdict.isDeaf()) {
      readiness.unready(
          PART,
          "no other node answers over the event bus, although all are members: see cluster.host,"
              + " cluster.busPort and what is between the nodes");
    } else {
      readiness.ready(PART);
    }
  }

  /** Without those that only publish, from a command line: they come and go, and may be halted. */
  private List<Member> nodes() {
    return bus.cluster().members().stream().filter(member -> !member.roles().isEmpty()).toList();
  }

  private Stream<Member> others() {
    return nodes().stream().filter(member -> !member.equals(bus.cluster().self()));
  }

  private static String names(List<Member> members, Set<String> ids) {
    return members.stream()
        .filter(member -> ids.contains(member.id()))
        .map(Member::name)
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
