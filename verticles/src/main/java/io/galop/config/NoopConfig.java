package io.galop.config;

import java.util.List;

/** Does nothing: for measuring, and to keep a place in a chain. */
@Brick("noop")
@Doc("Does nothing: for measuring, and to keep a place in the chain.")
public record NoopConfig(
    @Doc("Topic filters of the records that this step is for; the others pass it by.")
        @Default("[\"#\"]")
        List<String> topics)
    implements EnricherConfig {
  public NoopConfig {
    topics = EnricherConfig.checkedTopics(topics);
  }
}
