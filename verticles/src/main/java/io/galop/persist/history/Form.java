package io.galop.persist.history;

import java.util.Locale;
import java.util.Optional;

/**
 * How an answer is written.
 *
 * @param isGzip whether it is compressed
 */
record Form(Format format, boolean isGzip) {
  /** The language of an answer. */
  enum Format {
    JSON("application/json"),
    NDJSON("application/x-ndjson"),
    CSV("text/csv");

    private final String type;

    Format(String type) {
      this.type = type;
    }

    /** For {@code Content-Type}. */
    String contentType() {
      return this == CSV ? "text/csv; charset=utf-8; header=present" : type;
    }
  }

  /**
   * As {@code format=}, else {@code Accept} say; compressed if {@code Accept-Encoding} has gzip.
   *
   * @throws IllegalArgumentException if there is no such format
   */
  static Form of(Optional<String> format, String accept, String acceptEncoding) {
    return new Form(
        format.map(Form::parse).orElseGet(() -> accepted(accept)), takesGzip(acceptEncoding));
  }

  private static Format parse(String name) {
    for (Format one : Format.values()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "'format' is '" + name + "'; expected 'json', 'ndjson' or 'csv'");
  }

  private static Format accepted(String accept) {
    String types = accept.toLowerCase(Locale.ROOT);
    if (types.contains(Format.NDJSON.type)) {
      return Format.NDJSON;
    }
    return types.contains(Format.CSV.type) ? Format.CSV : Format.JSON;
  }

  private static boolean takesGzip(String acceptEncoding) {
    for (String one : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
      String coding = one.replace(" ", "");
      if (coding.equals("gzip")
          || coding.startsWith("gzip;") && !coding.matches(".*;q=0(\\.0*)?")) {
        return true;
      }
    }
    return false;
  }
}
