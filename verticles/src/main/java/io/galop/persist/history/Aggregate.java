package io.galop.persist.history;

import java.util.Locale;

/** What a bucket tells of the values of a field. The order is that of the columns. */
enum Aggregate {
  MIN,
  MAX,
  AVG,
  LAST,
  COUNT;

  /** As it stands in questions and answers. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
