package io.galop.config.alarm;

import io.galop.yaml.Brick;
import io.galop.yaml.Doc;
import java.util.Optional;

/** A number that is too large or too small. */
@Brick("limit")
@Doc("A field's number is above or below a limit.")
public record LimitConfig(
    @Doc("A field of data that holds a number.") String field,
    @Doc("Raised above this.") Optional<Double> above,
    @Doc("Raised below this.") Optional<Double> below,
    @Doc("Over again only at this or beyond it; by default at the limit.") Optional<Double> clear)
    implements AlarmConditionConfig {
  public LimitConfig {
    AlarmConditionConfig.requireField(field);
    if (above.isPresent() == below.isPresent()) {
      throw new IllegalArgumentException("above must be given, or below, and only one of them");
    }
    if (clear.isPresent() && above.isPresent() && clear.get() > above.get()) {
      throw new IllegalArgumentException("clear must not be above the limit, " + above.get());
    }
    if (clear.isPresent() && below.isPresent() && clear.get() < below.get()) {
      throw new IllegalArgumentException("clear must not be below the limit, " + below.get());
    }
  }
}
