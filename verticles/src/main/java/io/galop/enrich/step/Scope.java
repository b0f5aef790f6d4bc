package io.galop.enrich.step;

import io.galop.config.enrich.EnricherConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.List;

/** Which topics a step is for. */
public final class Scope {
  private final TopicFilter[] filters;
  private final boolean everything;

  public Scope(List<String> topics) {
    this.filters =
        topics.stream()
            .map(topic -> TopicFilter.parse(topic, EnricherConfig.MAX_FILTER_BYTES))
            .toArray(TopicFilter[]::new);
    this.everything = topics.contains("#");
  }

  /** Whether the step is for every topic that users may publish to. */
  public boolean coversAll() {
    return everything;
  }

  /** Whether the step is for a topic; reserved ones only where a filter names them. */
  public boolean covers(String topic) {
    if (everything && !Topic.isReserved(topic)) {
      return true;
    }
    for (TopicFilter filter : filters) {
      if (filter.matches(topic)) {
        return true;
      }
    }
    return false;
  }
}
