package io.galop.cli.replay;

import io.galop.cli.input.LineReader;
import io.galop.fuzz.Target;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Files that are replayed. */
public final class RecordLinesTarget implements Target {
  private static final int MOST_BYTES = 512;

  @Override
  public void run(byte[] input) throws Exception {
    DoorLine envelope = new DoorLine("t", "", "base");
    Columns columns = Columns.parse(List.of());
    try (Source records = new EnvelopeSource(reader(input));
        Source data = new JsonLinesSource(reader(input), columns)) {
      for (Source source : List.of(records, data)) {
        readAll(source, envelope);
      }
    }
    try (Source csv = new CsvSource(reader(input), columns)) {
      readAll(csv, envelope);
    } catch (IllegalArgumentException expected) {
      // There is no header.
    }
  }

  private static LineReader reader(byte[] input) {
    return new LineReader(new ByteArrayInputStream(input), MOST_BYTES);
  }

  private static void readAll(Source source, DoorLine envelope) throws Exception {
    long before = 0;
    for (Source.Item item = source.next(); item != null; item = source.next()) {
      if (item.line() <= before) {
        throw new AssertionError("line " + item.line() + " after line " + before);
      }
      before = item.line();
      if (item instanceof Source.Entry entry) {
        String line = new String(envelope.wrap(entry), StandardCharsets.UTF_8);
        new JsonObject(line);
        if (line.indexOf('\n') != line.length() - 1) {
          throw new AssertionError("more than one line: " + line);
        }
      }
    }
  }
}
