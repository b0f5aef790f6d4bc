package io.galop.ingest.poll;

/**
 * A number as it was written, so that none loses digits.
 *
 * @param text in the grammar of JSON
 */
record JsonNumber(String text) {
  private static final String GRAMMAR = "-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?";

  static boolean isNumber(String text) {
    return text.matches(GRAMMAR);
  }

  @Override
  public String toString() {
    return text;
  }
}
