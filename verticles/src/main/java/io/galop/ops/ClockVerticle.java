package io.galop.ops;

import io.galop.bus.Bus;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.latency.ClockOffset;
import io.galop.latency.Lateness;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes with doors each second for their time, so that their stamps can be compared with
 * this node's clock, and answers who asks for its own. On one event loop.
 */
public final class ClockVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ClockVerticle.class);
  private static final long ASK_MS = 1_000;

  private final Bus bus;
  private final Lateness lateness;

  public ClockVerticle(Node node) {
    this.bus = node.bus();
    this.lateness = node.lateness();
  }

  @Override
  public Future<?> start() {
    vertx.setPeriodic(0, ASK_MS, timer -> askAll());
    vertx.setPeriodic(TimeUnit.SECONDS.toMillis(10), timer -> lateness.tick());
    return bus.clock().onAsk(lateness::nowUs).completion();
  }

  private void askAll() {
    String self = bus.cluster().self().id();
    var members = bus.cluster().members();
    lateness.keepOffsets(members.stream().map(Member::id).collect(Collectors.toSet()));
    members.stream()
        .filter(member -> !member.id().equals(self) && member.roles().contains(Role.INGEST))
        .forEach(member -> ask(member.id()));
  }

  private void ask(String node) {
    ClockOffset offset = lateness.offset(node);
    long askedUs = lateness.nowUs();
    bus.clock()
        .ask(node)
        .onSuccess(otherUs -> offset.add(askedUs, otherUs, lateness.nowUs()))
        .onFailure(failure -> LOG.debug("the clock of {} is not known: {}", node, failure));
  }
}
