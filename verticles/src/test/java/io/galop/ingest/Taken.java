package io.galop.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.galop.config.ConfigLoader;
import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.parse.Envelope;
import io.galop.ingest.parse.JsonScanner;
import io.galop.ingest.parse.RecordSink;
import io.galop.record.Record;
import io.galop.record.Rejection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a parser made of an input, and whether that can be: the oracle of fuzzed parsers. */
public final class Taken implements RecordSink {
  private static final Pattern SURROGATE =
      Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}");
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .configure(JsonFactory.Feature.CHARSET_DETECTION, false)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private int records;
  private int rejections;
  private int lastLine;
  private Rejection lastRejection;

  /** The door's part of a configuration with small limits. */
  public static IngestConfig config(String... more) {
    List<String> sets = new java.util.ArrayList<>(List.of(more));
    sets.add("ingest.limits.maxDataBytes=1024");
    sets.add("ingest.limits.maxDepth=8");
    sets.add("ingest.limits.maxFields=16");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()).ingest();
  }

  public void begin() {
    records = 0;
    rejections = 0;
    lastLine = 0;
    lastRejection = null;
  }

  /** Line numbers go on after a piece. */
  public void nextPiece() {
    lastLine = 0;
  }

  @Override
  public void accept(Record record, int shard, int line) {
    records++;
    after(line);
    String data = new String(record.data(), StandardCharsets.UTF_8);
    require(JsonScanner.isUtf8(record.data()) && isJson(data), "no JSON is taken: " + data);
    require(data.startsWith("{") && data.endsWith("}"), "no object is taken: " + data);
    require(data.indexOf('\n') < 0 && data.indexOf('\r') < 0, "a line break is taken: " + data);
    require(!record.id().isEmpty() && record.id().indexOf('#') < 0, "an id: " + record.id());
    require(record.timeUs() >= 0 && record.timeUs() <= Envelope.LATEST_US, "a time");
    require(io.galop.record.Topic.check(record.topic(), 1024).isEmpty(), "a topic");
    require(!io.galop.record.Topic.isReserved(record.topic()), "a reserved topic");
  }

  @Override
  public void reject(Rejection rejection) {
    rejections++;
    lastRejection = rejection;
    after(rejection.line());
    boolean oneLine = rejection.detail().chars().noneMatch(Character::isISOControl);
    require(!rejection.detail().isBlank() && oneLine, "a detail: " + rejection.detail());
  }

  private void after(int line) {
    require(line > lastLine, "line " + line + " after line " + lastLine);
    lastLine = line;
  }

  public int lastLine() {
    return lastLine;
  }

  public int all() {
    return records + rejections;
  }

  public Rejection lastRejection() {
    return lastRejection;
  }

  /**
   * Whether a text is one JSON value, as Jackson sees its bytes, without its own ways: of a
   * character it looks at eight bits alone to see a hex digit, and it takes no name with half a
   * surrogate pair, which the grammar allows (RFC 8259, 8.2).
   */
  public static boolean isJson(String text) {
    String whole = SURROGATE.matcher(text).replaceAll("$1\\\\u0041");
    byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
    try (JsonParser parser = JSON.createParser(bytes)) {
      if (parser.nextToken() == null) {
        return false;
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  public static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
