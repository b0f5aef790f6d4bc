package io.galop.enrich.script;

import io.galop.record.Record;
import io.galop.record.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * Makes Records of what a script returned. A record that was passed on alone under its own topic
 * keeps its id; otherwise the records are numbered from 1.
 */
final class ScriptOutputs {
  private static final int FIELDS = 3;

  private final int maxBytes;
  private final int maxTopicBytes;

  ScriptOutputs(int maxBytes, int maxTopicBytes) {
    this.maxBytes = maxBytes;
    this.maxTopicBytes = maxTopicBytes;
  }

  /**
   * Reads what {@link Bootstrap} hands over.
   *
   * @throws ScriptFailure if a record breaks a rule
   */
  List<Record> read(Record raw, Value flat) throws ScriptFailure {
    int count = (int) (flat.getArraySize() / FIELDS);
    List<Record> outputs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Value topicGiven = flat.getArrayElement(FIELDS * i);
      Value timeGiven = flat.getArrayElement(FIELDS * i + 1);
      String topic = topicGiven.isNull() ? raw.topic() : topicGiven.asString();
      long timeUs = timeGiven.isNull() ? raw.timeUs() : timeGiven.asLong();
      boolean keepsId = count == 1 && topic.equals(raw.topic());
      String id = keepsId ? raw.id() : Record.derivedId(raw.id(), i + 1);
      checkTopic(raw, topic);
      outputs.add(new Record(id, topic, timeUs, data(flat.getArrayElement(FIELDS * i + 2))));
    }
    return outputs;
  }

  private void checkTopic(Record raw, String topic) throws ScriptFailure {
    if (topic.equals(raw.topic())) {
      return;
    }
    String wrong =
        Topic.isReserved(topic)
            ? "begins with '$', which is kept for Galop"
            : Topic.check(topic, maxTopicBytes);
    if (!wrong.isEmpty()) {
      String shown = topic.length() > 80 ? topic.substring(0, 80) + "…" : topic;
      throw new ScriptFailure("enrich returned a record whose topic '" + shown + "' " + wrong);
    }
  }

  private byte[] data(Value text) throws ScriptFailure {
    byte[] data = text.asString().getBytes(StandardCharsets.UTF_8);
    if (data.length > maxBytes) {
      throw new ScriptFailure(
          "enrich returned data of " + data.length + " bytes, maxOutputBytes is " + maxBytes);
    }
    return data;
  }
}
