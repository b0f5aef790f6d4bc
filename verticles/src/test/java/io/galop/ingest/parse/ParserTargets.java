package io.galop.ingest.parse;

import io.galop.fuzz.Target;
import io.galop.ingest.Taken;
import io.galop.record.Reason;
import java.nio.charset.StandardCharsets;

/** What reads JSON, without a socket. */
public final class ParserTargets {
  private ParserTargets() {}

  /** JSON values: taken if Jackson takes them. */
  public static Target json() {
    JsonScanner scanner = new JsonScanner(8, 16);
    return input -> {
      scanner.over(input, input.length);
      int end = scanner.value(scanner.space(0));
      boolean good = end >= 0 && scanner.space(end) == input.length;
      if (end < 0 && scanner.reason() != Reason.MALFORMED) {
        return; // a limit of Galop's own
      }
      String text = new String(input, StandardCharsets.UTF_8);
      boolean expected = JsonScanner.isUtf8(input) && Taken.isJson(text);
      Taken.require(good == expected, "the scanner says " + good + ": " + text);
    };
  }
}
