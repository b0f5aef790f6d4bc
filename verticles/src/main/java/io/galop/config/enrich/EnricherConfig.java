package io.galop.config.enrich;

import io.galop.record.TopicFilter;
import java.util.List;

/** One step of the chain that records go through. */
public sealed interface EnricherConfig
    permits CalculateConfig,
        DropConfig,
        LookupConfig,
        NoopConfig,
        SampleConfig,
        SchemaConfig,
        ScriptConfig {

  /** Which records the step is for; the others pass it by. */
  List<String> topics();

  /** The longest filter that a step may be given, in bytes. */
  int MAX_FILTER_BYTES = 4096;

  /** Checks the filters of a step. */
  static List<String> checkedTopics(List<String> topics) {
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("topics must name a filter; leave the key out for all");
    }
    for (String filter : topics) {
      try {
        TopicFilter.parse(filter, MAX_FILTER_BYTES);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("topics " + e.getMessage(), e);
      }
    }
    return List.copyOf(topics);
  }

  /** Checks a text that has to be there. */
  static void require(String key, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + " must not be empty");
    }
  }
}
