package io.galop.yaml;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The word by which a brick is chosen. A value of a sealed type is written as a map with one key,
 * the word of one of its permitted records: {@code - sample: {every: 5}}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Brick {
  String value();
}
