package io.galop.enrich.script;

import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads a file of cases.
 *
 * <pre>
 * cases:
 *   - name: what it shows
 *     settings: {key: 'text'}           # optional
 *     inputs:
 *       - {topic: a/b, timeUs: 1, data: '{"value":5}'}
 *     outputs:                          # or rejects: what the dead letter must hold
 *       - {id: i1, topic: a/b, timeUs: 1, data: '{"value":5}'}
 * </pre>
 *
 * A record without an id is called i1, i2, … by its place.
 */
public final class ScriptCases {
  private final String file;

  private ScriptCases(String file) {
    this.file = file;
  }

  /**
   * Reads the cases in a text.
   *
   * @param file for messages
   * @throws IllegalArgumentException saying which file, case and field break which rule
   */
  public static List<ScriptCase> read(String file, String text) {
    return new ScriptCases(file).read(text);
  }

  private List<ScriptCase> read(String text) {
    Object root = load(text);
    @Nullable Object listed = root instanceof Map<?, ?> map ? map.get("cases") : null;
    if (!(listed instanceof List<?> all) || all.isEmpty()) {
      throw wrong("", "must hold a list 'cases' with a case at least");
    }
    List<ScriptCase> cases = new ArrayList<>();
    for (Object one : all) {
      cases.add(one(cases.size() + 1, one));
    }
    return cases;
  }

  /** Null for an empty text. */
  private @Nullable Object load(String text) {
    try {
      return new Load(LoadSettings.builder().setLabel(file).build()).loadFromString(text);
    } catch (YamlEngineException e) {
      throw wrong("", "is no YAML: " + e.getMessage());
    }
  }

  private IllegalArgumentException wrong(String where, String rule) {
    return new IllegalArgumentException(file + (where.isEmpty() ? "" : ", " + where) + ": " + rule);
  }

  private ScriptCase one(int number, @Nullable Object given) {
    if (!(given instanceof Map<?, ?> fields)) {
      throw wrong("case " + number, "must be a mapping with name, inputs and outputs or rejects");
    }
    String name = fields.get("name") instanceof String text ? text : "case " + number;
    Optional<String> rejects =
        Optional.ofNullable(fields.get("rejects")).map(text -> text(text, name, "rejects"));
    List<Record> inputs = records(fields.get("inputs"), name, "inputs");
    if (inputs.isEmpty()) {
      throw wrong(name, "inputs must hold a record at least");
    }
    List<Record> outputs =
        rejects.isPresent() ? List.of() : records(fields.get("outputs"), name, "outputs");
    return new ScriptCase(name, settings(fields.get("settings"), name), inputs, outputs, rejects);
  }

  private Map<String, String> settings(@Nullable Object given, String name) {
    Map<String, String> settings = new HashMap<>();
    if (given instanceof Map<?, ?> fields) {
      if (fields.containsKey(null)) {
        throw wrong(name, "settings must have a name for each value");
      }
      fields.forEach((key, value) -> settings.put(key.toString(), String.valueOf(value)));
    } else if (given != null) {
      throw wrong(name, "settings must be a mapping");
    }
    return settings;
  }

  private List<Record> records(@Nullable Object given, String name, String field) {
    if (!(given instanceof List<?> listed)) {
      throw wrong(name, field + " must be a list of records" + orRejects(field));
    }
    List<Record> records = new ArrayList<>();
    for (Object one : listed) {
      records.add(record(one, name, field, records.size() + 1));
    }
    return records;
  }

  private static String orRejects(String field) {
    return field.equals("outputs") ? ", or there must be 'rejects'" : "";
  }

  private Record record(@Nullable Object given, String name, String field, int number) {
    String place = field + "[" + (number - 1) + "]";
    if (!(given instanceof Map<?, ?> fields)) {
      throw wrong(name, place + " must be a mapping with topic, timeUs and data");
    }
    if (!(fields.get("timeUs") instanceof Number timeUs)) {
      throw wrong(name, place + ".timeUs must be a whole number of microseconds");
    }
    String id = fields.get("id") instanceof String text ? text : "i" + number;
    String data = text(fields.get("data"), name, place + ".data");
    String topic = text(fields.get("topic"), name, place + ".topic");
    return new Record(id, topic, timeUs.longValue(), data.getBytes(StandardCharsets.UTF_8));
  }

  private String text(@Nullable Object given, String name, String field) {
    if (given instanceof String text) {
      return text;
    }
    throw wrong(name, field + " must be a text" + inQuotes(field));
  }

  private static String inQuotes(String field) {
    return field.endsWith(".data") ? ": a JSON object in quotes" : "";
  }
}
