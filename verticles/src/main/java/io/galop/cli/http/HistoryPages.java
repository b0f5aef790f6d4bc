package io.galop.cli.http;

import io.galop.cli.Terminal;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Prints the pages of an answer as one, and finds where the next begins. */
final class HistoryPages {
  private static final String FOLDED = "persist.history.maxFolded";
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Terminal console;
  private final boolean csv;
  private final boolean isByRecord;
  private final boolean goesOn;
  private boolean hasBegun;
  private boolean hasWarned;

  /**
   * Begins.
   *
   * @param isByRecord whether the next page begins behind the last record, instead of where the
   *     answer says
   * @param goesOn whether there is a next page
   */
  HistoryPages(Terminal console, boolean csv, boolean isByRecord, boolean goesOn) {
    this.console = console;
    this.csv = csv;
    this.isByRecord = isByRecord;
    this.goesOn = goesOn;
  }

  /** The content type of a page. */
  String accept() {
    return csv ? "text/csv" : "application/x-ndjson";
  }

  /**
   * Prints a page and closes it.
   *
   * @return the {@code after} of the next; empty behind the last
   */
  Optional<String> print(HttpResponse<InputStream> page) throws IOException {
    Optional<String> next =
        page.headers()
            .firstValue("X-Galop-Next")
            .filter(text -> goesOn)
            .map(text -> URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    page.headers()
        .firstValue(NodeHttp.INCOMPLETE)
        .filter(names -> next.isEmpty() || !names.equals(FOLDED))
        .ifPresent(this::warn);
    try (InputStream body = page.body()) {
      if (csv && hasBegun) {
        skipLine(body);
      }
      hasBegun = true;
      if (isByRecord) {
        return copy(body).map(HistoryPages::after);
      }
      body.transferTo(console.out());
    }
    return next;
  }

  private void warn(String names) {
    if (!hasWarned) {
      hasWarned = true;
      console.out().flush();
      console.say("the answer is incomplete, without " + names);
    }
  }

  /** The names of columns have no line break in them. */
  private static void skipLine(InputStream body) throws IOException {
    int next = body.read();
    while (next >= 0 && next != '\n') {
      next = body.read();
    }
  }

  /** Copies lines; the last one. */
  private Optional<String> copy(InputStream body) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean isEnded = false;
    byte[] bytes = new byte[BUFFER_BYTES];
    for (int read = body.read(bytes); read >= 0; read = body.read(bytes)) {
      console.out().write(bytes, 0, read);
      for (int i = 0; i < read; i++) {
        if (isEnded) {
          line.reset();
        }
        isEnded = bytes[i] == '\n';
        line.write(bytes[i]);
      }
    }
    return line.size() == 0
        ? Optional.empty()
        : Optional.of(line.toString(StandardCharsets.UTF_8).strip());
  }

  /** Where the page behind a record begins. */
  static String after(String record) {
    JsonObject last = new JsonObject(record);
    return last.getLong("time") + ":" + last.getString("id") + "\t" + last.getString("topic");
  }
}
