package io.galop.ingest.mqtt;

import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.LimitsConfig;
import io.galop.config.ingest.MqttDoorConfig;
import io.galop.config.ingest.MqttDoorConfig.OnClear;
import io.galop.ingest.parse.JsonScanner;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.parse.RecordSink;
import io.galop.json.JsonString;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.galop.record.TraceContext;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Makes records of payloads. Most sensors send a bare value, so that what is no JSON object becomes
 * the one field of an object: another JSON value as it stands, any other text as a JSON string.
 * What begins with a brace has to be an object: a broken one is refused, not kept as a text.
 *
 * <p>For one thread.
 */
public final class MqttPayload {
  private static final byte[] GONE = utf8("{\"gone\":true}");
  private static final String EMPTY =
      "the payload is empty; send a value, or retain the message to say that the topic is gone";
  private static final String NO_TEXT =
      "the payload is neither JSON nor text in UTF-8; send one of them";

  private final RecordReader reader;
  private final MqttDoorConfig config;
  private final JsonScanner scanner;
  private final byte[] head;

  MqttPayload(RecordReader reader, IngestConfig config) {
    LimitsConfig limits = config.limits();
    this.reader = reader;
    this.config = config.mqtt();
    this.scanner = new JsonScanner(limits.maxDepth(), limits.maxFields());
    String field = this.config.valueField();
    this.head = field.isEmpty() ? new byte[0] : utf8("{" + JsonString.quoted(field) + ":");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads one message; a retained one without payload says that there is no last value any more.
   */
  void read(String topic, byte[] payload, boolean retain, RecordSink sink) {
    if (payload.length == 0) {
      readEmpty(topic, retain, sink);
    } else if (config.envelope()) {
      reader.readEnvelope(topic, payload, 1, sink);
    } else {
      readValue(topic, payload, sink);
    }
  }

  /** The user property of that name (MQTT 5, 3.3.2.3.7); empty if there is none. */
  static Optional<String> traceparent(MqttProperties properties) {
    return properties.getProperties(MqttProperties.USER_PROPERTY).stream()
        .filter(UserProperty.class::isInstance)
        .map(property -> ((UserProperty) property).value())
        .filter(pair -> pair.key.equals(TraceContext.HEADER))
        .map(pair -> pair.value)
        .findFirst();
  }

  /** Makes the record that says that a topic has no value any more. */
  void readGone(String topic, RecordSink sink) {
    reader.readObject(topic, GONE, 1, sink);
  }

  private void readEmpty(String topic, boolean retain, RecordSink sink) {
    if (!retain) {
      sink.reject(new Rejection(1, Reason.MALFORMED, EMPTY));
    } else if (config.onClear() == OnClear.RECORD) {
      readGone(topic, sink);
    }
  }

  private void readValue(String topic, byte[] payload, RecordSink sink) {
    scanner.over(payload, payload.length);
    int start = scanner.space(0);
    if (head.length == 0 || scanner.at(start) == '{') {
      reader.readObject(topic, payload, 1, sink);
    } else if (isJson(start, payload.length)) {
      reader.readObject(topic, asField(payload), 1, sink);
    } else if (JsonScanner.isUtf8(payload)) {
      byte[] text = JsonString.element(new String(payload, StandardCharsets.UTF_8));
      reader.readObject(topic, asField(text), 1, sink);
    } else {
      sink.reject(new Rejection(1, Reason.MALFORMED, NO_TEXT));
    }
  }

  /** Whether the payload is JSON; also if it breaks a limit, which the reader then says. */
  private boolean isJson(int start, int to) {
    int end = scanner.value(start);
    return end < 0 ? scanner.reason() != Reason.MALFORMED : scanner.space(end) == to;
  }

  private byte[] asField(byte[] value) {
    byte[] object = new byte[head.length + value.length + 1];
    System.arraycopy(head, 0, object, 0, head.length);
    System.arraycopy(value, 0, object, head.length, value.length);
    object[object.length - 1] = '}';
    return object;
  }
}
