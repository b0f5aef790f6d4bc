package io.galop.ops;

import io.galop.node.Audience;
import io.galop.node.Condition;
import io.galop.node.Node;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;

/**
 * What is not as it should be, as meters, so that alerts need not know what each part counts: a row
 * for each condition while it lasts, and whether publishers and viewers should come.
 */
final class ConditionMeters implements Check {
  private static final double IS_SO = 1;

  private final Node node;
  private final MultiGauge conditions;

  ConditionMeters(Node node) {
    this.node = node;
    this.conditions =
        MultiGauge.builder("galop.condition")
            .description("1: a part is not as it should be; /health/ready has its words")
            .register(node.meters());
    for (Audience audience : Audience.all()) {
      Gauge.builder("galop.node.ready", () -> isReady(audience) ? IS_SO : 0)
          .tag("audience", audience.word())
          .description("1: nothing keeps them from what the node is for")
          .register(node.meters());
    }
  }

  private boolean isReady(Audience audience) {
    return node.readiness().reasons(audience).isEmpty();
  }

  @Override
  public void look(MeterSums meters) {
    List<MultiGauge.Row<?>> rows =
        node.readiness().conditions().stream()
            .<MultiGauge.Row<?>>map(ConditionMeters::row)
            .toList();
    conditions.register(rows, true);
  }

  private static MultiGauge.Row<?> row(Condition condition) {
    return MultiGauge.Row.of(
        Tags.of("part", condition.part(), "level", word(condition.level())), IS_SO);
  }

  private static String word(Condition.Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }
}
