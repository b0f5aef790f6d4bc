package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.HashSet;
import java.util.List;

/** Rows of history that are kept beside the records. */
public record RollupConfig(
    @Doc("Filters of the topics that are rolled up.") @Default("[\"#\"]") List<String> topics,
    @Doc("Paths of up to 8 fields with numbers, such as motor.celsius.") List<String> fields,
    @Doc("Length of a bucket; a day must be a multiple of it.")
        @Default("60")
        @Range(min = 1, max = 86_400)
        int everySeconds,
    @Doc("Days that a bucket is kept, by its own time; 0 for ever.")
        @Default("0")
        @Range(min = 0, max = 36_500)
        int keepDays) {
  private static final int MOST_FIELDS = 8;
  private static final int DAY_SECONDS = 86_400;

  public RollupConfig {
    topics = EnricherConfig.checkedTopics(topics);
    fields = List.copyOf(fields);
    if (fields.isEmpty()
        || fields.size() > MOST_FIELDS
        || new HashSet<>(fields).size() < fields.size()
        || fields.stream().anyMatch(path -> List.of(path.split("\\.", -1)).contains(""))) {
      throw new IllegalArgumentException(
          "fields must be 1 to " + MOST_FIELDS + " different paths, such as celsius, motor.rpm");
    }
    if (DAY_SECONDS % everySeconds != 0) {
      throw new IllegalArgumentException(
          "everySeconds must divide a day of 86400 seconds, which " + everySeconds + " does not");
    }
  }
}
