package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** Drops records, which are then acknowledged and neither stored nor shown. */
@Brick("drop")
@Doc("Drops records: they are acknowledged and neither stored nor shown.")
public record DropConfig(
    @Doc("Topic filters of this step; other records pass unchanged.") @Default("[\"#\"]")
        List<String> topics,
    @Doc("Drops only records with this field, and only if it equals the value below.") @Default("")
        String field,
    @Doc("The text, number or word (true, false) to compare the field with, as written.")
        @Default("")
        String equals)
    implements EnricherConfig {
  public DropConfig {
    topics = EnricherConfig.checkedTopics(topics);
    if (field.isEmpty() && !equals.isEmpty()) {
      throw new IllegalArgumentException("equals needs the key field beside it");
    }
  }
}
