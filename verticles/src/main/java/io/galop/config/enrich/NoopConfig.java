package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** Does nothing: for measuring, and to keep a place in a chain. */
@Brick("noop")
@Doc("Does nothing: for measurements, or as a placeholder.")
public record NoopConfig(
    @Doc("Topic filters of this step; other records pass unchanged.") @Default("[\"#\"]")
        List<String> topics)
    implements EnricherConfig {
  public NoopConfig {
    topics = EnricherConfig.checkedTopics(topics);
  }
}
