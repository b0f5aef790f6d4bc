package io.galop.extend;

import io.galop.config.VerticleConfig;
import io.galop.node.FeedTap;
import io.galop.node.Node;
import io.galop.yaml.ConfigException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deploys the verticles of the configuration in their spec, and undeploys them the other way. */
public final class Verticles {
  private static final Logger LOG = LoggerFactory.getLogger(Verticles.class);
  private static final long START_SECONDS = 120;
  private static final long CANCELLED_MS = 3_000;

  private final Vertx vertx;
  private final VerticleHost host;
  private final Deque<Deployed> deployed = new ArrayDeque<>();

  private record Deployed(String id, InstanceSpec spec) {}

  /**
   * Those of a node.
   *
   * @param feed lets somebody hear the node's feed, and gives back what ends that; empty where the
   *     node has none
   */
  public Verticles(Vertx vertx, Node node, Optional<Function<FeedTap, Runnable>> feed) {
    this.vertx = vertx;
    this.host = VerticleHost.open(vertx, node, feed);
  }

  /**
   * Deploys all; blocks.
   *
   * @throws ConfigException if one does not start, with file and line
   */
  public void start() {
    new Languages().register(vertx);
    List<VerticleConfig> all = host.node().config().verticles();
    for (int i = 0; i < all.size(); i++) {
      String name = all.get(i).name();
      boolean isAlone = all.stream().filter(other -> other.name().equals(name)).count() == 1;
      for (int instance = 0; instance < all.get(i).instances(); instance++) {
        InstanceSpec spec =
            InstanceSpec.of(all.get(i), isAlone ? name : name + "[" + i + "]", instance);
        deployed.push(new Deployed(deploy(i, spec), spec));
      }
      LOG.info("{} runs, instances: {}", name, all.get(i).instances());
    }
  }

  private String deploy(int index, InstanceSpec spec) {
    DeploymentOptions options = new DeploymentOptions().setConfig(spec.toConfig());
    if (spec.config().worker()) {
      options
          .setThreadingModel(ThreadingModel.WORKER)
          .setWorkerPoolName("galop-" + spec.label() + '-' + spec.instance())
          .setWorkerPoolSize(1);
    }
    String why;
    try {
      return vertx
          .deployVerticle(spec.config().name(), options)
          .await(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      host.cancel(spec);
      why = "has not started within " + START_SECONDS + " s";
    } catch (RuntimeException e) {
      why = String.valueOf(e.getMessage());
    }
    throw new ConfigException(
        List.of("verticles[%d]: %s cannot be started: %s".formatted(index, spec.label(), why)));
  }

  /** Undeploys all, last first; what does not stop in time is cut off. */
  public Future<?> stop() {
    if (deployed.isEmpty()) {
      return Future.succeededFuture();
    }
    Deployed last = deployed.pop();
    return undeploy(last).transform(ended -> stop());
  }

  private Future<Void> undeploy(Deployed last) {
    Promise<Void> ended = Promise.promise();
    vertx.undeploy(last.id()).onComplete((done, failure) -> ended.tryComplete());
    long timeoutMs = last.spec().config().stopTimeoutMs();
    long timer =
        vertx.setTimer(
            timeoutMs,
            late -> {
              LOG.warn("{} has not stopped within {} ms", last.spec().label(), timeoutMs);
              vertx.executeBlocking(() -> cancel(last), false);
              vertx.setTimer(CANCELLED_MS, given -> ended.tryComplete());
            });
    return ended.future().onComplete(done -> vertx.cancelTimer(timer));
  }

  private Void cancel(Deployed last) {
    host.cancel(last.spec());
    return null;
  }
}
