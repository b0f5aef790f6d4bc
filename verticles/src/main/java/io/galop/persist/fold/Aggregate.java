package io.galop.persist.fold;

import java.util.Locale;

/** What a bucket tells of the values of a field. The order is that of the columns. */
public enum Aggregate {
  MIN,
  MAX,
  AVG,
  LAST,
  COUNT;

  /** As it stands in questions and answers. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
