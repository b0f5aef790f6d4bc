package io.galop.enrich.script.swap;

import io.galop.config.enrich.ScriptConfig;
import io.galop.node.Node;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A script step of this node: a {@link Lane} for each event loop, which all have the same version.
 */
public final class ScriptStep {
  private final StepContext context;
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final Queue<Shadow> endedShadows = new ConcurrentLinkedQueue<>();

  /**
   * A step whose script is read now; blocks.
   *
   * @param maxStateBytes what the script may keep for all topics of an event loop
   * @throws IllegalArgumentException if there is no such file
   */
  ScriptStep(Node node, ScriptConfig config, long maxStateBytes, ScriptMemory memory) {
    this.context = new StepContext(node, config, maxStateBytes, memory);
    context.meters().stateBytes(() -> lanes.stream().mapToLong(Lane::stateBytes).sum());
    context.meters().suspended(this::suspendedLanes);
  }

  /** What its lanes and trials share. */
  StepContext context() {
    return context;
  }

  /** A lane for one more event loop. */
  Lane open() {
    Lane lane = new Lane(context, "galop-script-" + context.name() + "-" + lanes.size());
    lanes.add(lane);
    return lane;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** On how many event loops it is suspended now. */
  long suspendedLanes() {
    return lanes.stream().filter(Lane::isSuspended).count();
  }

  /** The thread of a version whose trial is over counts if it hangs. */
  void seeTo(Shadow ended) {
    endedShadows.add(ended);
  }

  /** Looks after threads and warnings; called now and then, never waits. */
  void look() {
    lanes.forEach(Lane::giveUpIfStuck);
    endedShadows.removeIf(Shadow::settle);
    context.calmMemory();
    boolean isHanging = lanes.stream().anyMatch(Lane::isHanging);
    context.showSuspended(suspendedLanes(), lanes.size(), isHanging);
  }
}
