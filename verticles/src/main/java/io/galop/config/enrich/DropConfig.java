package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** Drops records, which are then acknowledged and neither stored nor shown. */
@Brick("drop")
@Doc("Drops records: acknowledged, but neither stored nor shown.")
public record DropConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics,
    @Doc("Drops only records in which this field has the value below.") @Default("") String field,
    @Doc("The text, number or word (true, false), as written.") @Default("") String equals)
    implements EnricherConfig {
  public DropConfig {
    topics = EnricherConfig.checkedTopics(topics);
    if (field.isEmpty() && !equals.isEmpty()) {
      throw new IllegalArgumentException("equals needs the key field beside it");
    }
  }
}
