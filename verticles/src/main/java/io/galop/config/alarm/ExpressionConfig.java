package io.galop.config.alarm;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;

/** Whatever CEL can say of a record. */
@Brick("expression")
@Doc("An expression in CEL over topic, id, time and data is true.")
public record ExpressionConfig(
    @Doc("The expression, as in a mapping.") String cel,
    @Doc("A field of data that is shown as the value.") @Default("") String field)
    implements AlarmConditionConfig {
  public ExpressionConfig {
    if (cel.isBlank()) {
      throw new IllegalArgumentException("cel must not be empty");
    }
  }
}
