package io.galop.config;

import java.util.List;

/** Drops records, which are then acknowledged and neither stored nor shown. */
@Brick("drop")
@Doc("Drops records: they are acknowledged and neither stored nor shown.")
public record DropConfig(
    @Doc("Topic filters of the records that this step is for; the others pass it by.")
        @Default("[\"#\"]")
        List<String> topics,
    @Doc("Only records with this field are dropped, and only if it holds the value of equals.")
        @Default("")
        String field,
    @Doc("The text, number or word (true, false) that the field must hold, as written.")
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
