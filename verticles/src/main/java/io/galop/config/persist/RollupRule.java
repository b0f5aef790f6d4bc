package io.galop.config.persist;

import io.galop.record.TopicFilter;
import io.galop.yaml.Doc;
import java.util.List;
import java.util.Set;

/** Fields of topics of which there are values by the minute. */
public record RollupRule(
    @Doc("The filter of the topics.") String topics,
    @Doc("Paths of numbers, such as celsius or motor.rpm.") List<String> fields) {
  private static final int MAX_FILTER_BYTES = 1024;
  private static final int MOST_FIELDS = 64;

  public RollupRule {
    try {
      TopicFilter.parse(topics, MAX_FILTER_BYTES);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("topics must be a filter: " + e.getMessage(), e);
    }
    if (fields.isEmpty() || fields.size() > MOST_FIELDS) {
      throw new IllegalArgumentException(
          "fields must be 1 to " + MOST_FIELDS + " paths, such as [celsius, motor.rpm]");
    }
    for (String path : fields) {
      if (path.isEmpty() || List.of(path.split("\\.", -1)).contains("") || path.contains(",")) {
        throw new IllegalArgumentException(
            "fields must be paths, such as celsius or motor.rpm, not '" + path + "'");
      }
    }
    if (Set.copyOf(fields).size() < fields.size()) {
      throw new IllegalArgumentException("fields must differ");
    }
    fields = List.copyOf(fields);
  }

  /** The topics. */
  public TopicFilter filter() {
    return TopicFilter.parse(topics, MAX_FILTER_BYTES);
  }
}
