package io.galop.yaml;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The smallest and largest value of a number, both allowed. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {
  long min() default Long.MIN_VALUE;

  long max() default Long.MAX_VALUE;
}
