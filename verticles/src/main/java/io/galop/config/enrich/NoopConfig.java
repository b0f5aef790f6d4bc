package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** Does nothing: for measuring, and to keep a place in a chain. */
@Brick("noop")
@Doc("Does nothing, for measurements.")
public record NoopConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics)
    implements EnricherConfig {
  public NoopConfig {
    topics = EnricherConfig.checkedTopics(topics);
  }
}
