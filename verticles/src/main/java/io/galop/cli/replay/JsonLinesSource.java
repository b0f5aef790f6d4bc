package io.galop.cli.replay;

import io.galop.cli.input.EventTime;
import io.galop.cli.input.LineReader;
import io.galop.json.JsonLine;
import io.galop.json.JsonString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object a line, which becomes the data as it stands. The event time is taken from the
 * field that the user maps, else from {@code pt}, the publish time of recorded odds streams.
 */
final class JsonLinesSource extends LinesSource {
  private static final String RECORDED_TIME = "pt";
  private final Columns columns;
  private final String timeField;
  private final Set<String> wanted;

  JsonLinesSource(LineReader lines, Columns columns) {
    super(lines);
    this.columns = columns;
    this.timeField = columns.time().orElse(RECORDED_TIME);
    this.wanted = new HashSet<>(columns.fields().values());
    wanted.add(timeField);
  }

  @Override
  Entry read(byte[] line, long number) {
    Map<String, byte[]> found = JsonLine.scan(line, wanted);
    byte[] data = columns.fields().isEmpty() ? line : select(found);
    return new Entry(number, timeUs(found.get(timeField)), data);
  }

  private long timeUs(byte @Nullable [] value) {
    if (value == null) {
      if (columns.time().isPresent()) {
        throw new IllegalArgumentException("has no field '" + timeField + "' for the event time");
      }
      return NO_TIME;
    }
    String text = new String(value, StandardCharsets.UTF_8).replace("\"", "");
    try {
      return EventTime.parseUs(text);
    } catch (IllegalArgumentException e) {
      if (columns.time().isEmpty()) {
        return NO_TIME;
      }
      throw new IllegalArgumentException("field '" + timeField + "': " + e.getMessage());
    }
  }

  private byte[] select(Map<String, byte[]> found) {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    columns
        .fields()
        .forEach(
            (name, field) -> {
              byte[] value = found.get(field);
              if (value != null) {
                data.write(data.size() == 0 ? '{' : ',');
                data.writeBytes(JsonString.quoted(name).getBytes(StandardCharsets.UTF_8));
                data.write(':');
                data.writeBytes(value);
              }
            });
    if (data.size() == 0) {
      throw new IllegalArgumentException("has none of the mapped fields");
    }
    data.write('}');
    return data.toByteArray();
  }
}
