package io.galop.alarm.notify;

import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.galop.config.alarm.AlarmTargetConfig;
import io.galop.config.alarm.MailConfig;
import io.galop.config.alarm.WebhookConfig;
import io.galop.jvm.Moment;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Tells each target of the alarms of this node's shards. What was told is said back, so that it is
 * recorded, and the next owner does not tell it again. On the loop of alarms.
 */
public final class AlarmNotifier {
  private final List<TargetQueue> targets;

  /**
   * An alarm, as far as telling goes.
   *
   * @param isDue whether somebody has to look at it
   * @param told the targets that know of it
   * @param json as in answers
   */
  public record Alarm(
      String rule,
      Severity severity,
      boolean isDue,
      long sinceMs,
      Set<String> told,
      JsonObject json) {
    public Alarm {
      told = Set.copyOf(told);
    }
  }

  /**
   * Of a node.
   *
   * @param loop of alarms; all else is called there
   * @param node its name, for messages
   * @param onTold is called with an alarm's id and the target that knows of it now
   */
  public AlarmNotifier(
      Loop loop,
      List<AlarmTargetConfig> targets,
      String node,
      MeterRegistry meters,
      BiConsumer<String, String> onTold) {
    this(loop, Moment::now, targets, node, meters, onTold);
  }

  /** With the clock of a test. */
  AlarmNotifier(
      Loop loop,
      Supplier<Moment> clock,
      List<AlarmTargetConfig> targets,
      String node,
      MeterRegistry meters,
      BiConsumer<String, String> onTold) {
    this.targets =
        targets.stream()
            .map(target -> new TargetQueue(target, clock, way(loop, target), node, meters, onTold))
            .toList();
  }

  private static TargetWay way(Loop loop, AlarmTargetConfig target) {
    return target.by() instanceof WebhookConfig webhook
        ? new Webhook(loop, webhook)
        : new Mail(loop, (MailConfig) target.by());
  }

  /**
   * An alarm has become this.
   *
   * @param isNew whether it changed just now; else another node may have told of it
   */
  public void onState(String id, Alarm alarm, boolean isNew) {
    targets.forEach(target -> target.onState(id, alarm, isNew));
  }

  /** Another node tells of it from now on. */
  public void onGone(String id) {
    targets.forEach(target -> target.forget(id));
  }

  /** Time has passed. */
  public void tick() {
    targets.forEach(TargetQueue::tick);
  }

  public void close() {
    targets.forEach(TargetQueue::close);
  }
}
