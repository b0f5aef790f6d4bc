package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import io.galop.json.NotJson;
import io.galop.json.PlainJsonWriter;
import io.galop.record.DerivedId;
import io.galop.record.Record;
import io.galop.record.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes Records of what a script returned, by the same rules for every language. A record that was
 * passed on alone under its own topic keeps its id; otherwise the records are numbered from 1.
 */
public final class ScriptOutputs {
  private static final long LARGEST_TIME_US = (1L << 53) - 1;

  private final int maxOutputs;
  private final int maxOutputBytes;
  private final int maxTopicBytes;
  private final PlainJsonWriter json;

  ScriptOutputs(ScriptConfig config, int maxTopicBytes) {
    this.maxOutputs = config.maxOutputs();
    this.maxTopicBytes = maxTopicBytes;
    this.maxOutputBytes = config.maxOutputBytes();
    this.json = new PlainJsonWriter(PlainJson.DEEPEST, maxOutputBytes);
  }

  /**
   * Reads what {@link LoadedScript#enrich} returned.
   *
   * @throws ScriptFailure if a record breaks a rule
   */
  List<Record> read(Record raw, @Nullable Object returned) throws ScriptFailure {
    if (returned == null) {
      return List.of();
    }
    Collection<?> listed = listed(returned);
    checkCount(listed.size(), maxOutputs);
    List<Record> outputs = new ArrayList<>(listed.size());
    for (Object one : listed) {
      outputs.add(one(raw, one, outputs.size() + 1, listed.size() == 1));
    }
    return outputs;
  }

  /** Refuses more records than a call may return. */
  public static void checkCount(long count, int maxOutputs) throws ScriptFailure {
    if (count > maxOutputs) {
      throw new ScriptFailure("enrich returned " + count + " records, maxOutputs is " + maxOutputs);
    }
  }

  private static Collection<?> listed(Object returned) {
    if (returned instanceof Collection<?> all) {
      return all;
    }
    return returned instanceof Object[] all ? Arrays.asList(all) : List.of(returned);
  }

  private Record one(Record raw, @Nullable Object output, int number, boolean alone)
      throws ScriptFailure {
    if (output instanceof ScriptRecord passed) {
      String id = alone ? raw.id() : DerivedId.of(raw, number, raw.topic());
      return new Record(id, raw.topic(), raw.timeUs(), data(passed.getData()));
    }
    if (!(output instanceof Map<?, ?> fields)) {
      throw noRecord();
    }
    String topic = topic(raw, fields.get("topic"));
    boolean keepsId = alone && topic.equals(raw.topic());
    String id = keepsId ? raw.id() : DerivedId.of(raw, number, topic);
    long timeUs = timeUs(raw, fields.get("timeUs"));
    return new Record(id, topic, timeUs, data(fields.get("data")));
  }

  private String topic(Record raw, @Nullable Object given) throws ScriptFailure {
    if (given == null) {
      return raw.topic();
    }
    if (!(given instanceof CharSequence)) {
      throw new ScriptFailure("enrich returned a record whose topic is no text");
    }
    String topic = given.toString();
    if (!topic.equals(raw.topic())) {
      checkTopic(topic);
    }
    return topic;
  }

  private void checkTopic(String topic) throws ScriptFailure {
    String wrong =
        Topic.isReserved(topic)
            ? "begins with '$', which is kept for Galop"
            : Topic.check(topic, maxTopicBytes);
    if (!wrong.isEmpty()) {
      String shown = topic.length() > 80 ? topic.substring(0, 80) + "…" : topic;
      throw new ScriptFailure("enrich returned a record whose topic '" + shown + "' " + wrong);
    }
  }

  private static long timeUs(Record raw, @Nullable Object given) throws ScriptFailure {
    if (given == null) {
      return raw.timeUs();
    }
    boolean isWhole =
        PlainJson.isNumber(given) && ((Number) given).doubleValue() == ((Number) given).longValue();
    long timeUs = isWhole ? ((Number) given).longValue() : -1;
    if (timeUs < 0 || timeUs > LARGEST_TIME_US) {
      throw new ScriptFailure(
          "enrich returned a record whose timeUs is no whole number of microseconds");
    }
    return timeUs;
  }

  private byte[] data(@Nullable Object given) throws ScriptFailure {
    if (!(given instanceof Map<?, ?> object)) {
      throw new ScriptFailure("enrich returned a record whose data is no object");
    }
    try {
      return json.bytes(object);
    } catch (NotJson e) {
      throw refused(e);
    }
  }

  private ScriptFailure refused(NotJson data) {
    return switch (data.why()) {
      case VALUE -> unholdable(data.field(), data.what());
      case DEPTH -> tooDeep();
      case LENGTH ->
          new ScriptFailure(
              "enrich returned data of %s bytes or more, maxOutputBytes is %d"
                  .formatted(data.what(), maxOutputBytes));
    };
  }

  /** Refuses what stands where a record should. */
  public static ScriptFailure noRecord() {
    return new ScriptFailure("enrich returned something that is no record: {topic, timeUs, data}");
  }

  /** Refuses a value. */
  public static ScriptFailure unholdable(String field, String what) {
    return new ScriptFailure(
        "enrich returned the field '%s' with %s, which JSON cannot hold".formatted(field, what));
  }

  /** Refuses what is nested too deeply. */
  public static ScriptFailure tooDeep() {
    return new ScriptFailure(
        "enrich returned data that is nested deeper than %d levels, or circular"
            .formatted(PlainJson.DEEPEST));
  }
}
