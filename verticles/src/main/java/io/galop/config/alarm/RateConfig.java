package io.galop.config.alarm;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A number that changes too fast. */
@Brick("rate")
@Doc("A field's number changes faster than so much a second, up or down.")
public record RateConfig(
    @Doc("A field of data that holds a number.") String field,
    @Doc("Raised above this change in a second, either way.") double perSecond,
    @Doc("The window, by the records' own times.")
        @Default("10000")
        @Range(min = 100, max = 3_600_000)
        long overMs)
    implements AlarmConditionConfig {
  public RateConfig {
    AlarmConditionConfig.requireField(field);
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("perSecond must be above 0, not " + perSecond);
    }
  }
}
