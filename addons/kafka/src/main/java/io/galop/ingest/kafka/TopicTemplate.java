package io.galop.ingest.kafka;

import io.galop.json.JsonField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Makes the topic of a record of what came with its message. For one thread. */
final class TopicTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{([^{}]+)}");
  private static final String HEADER = "header.";
  private static final String DATA = "data.";

  /** What Java makes of bytes that are no UTF-8. */
  private static final char REPLACED = '\uFFFD';

  private final boolean hasFields;

  /** A piece of the template; what it says of a message may be missing. */
  private interface Part {
    Optional<String> of(ConsumerRecord<byte[], byte[]> message) throws Missing;
  }

  /** A message lacks what the template asks for. */
  static final class Missing extends Exception {
    private static final long serialVersionUID = 1L;

    private Missing(String words) {
      super(words + ", of which ingest.kafka makes its topic");
    }
  }

  private record Place(String name, Part part) {}

  private final List<Place> places = new ArrayList<>();

  /** Of a template that the configuration has checked. */
  TopicTemplate(String template) {
    Matcher matcher = PLACE.matcher(template);
    int from = 0;
    while (matcher.find()) {
      text(template.substring(from, matcher.start()));
      places.add(new Place(matcher.group(1), place(matcher.group(1))));
      from = matcher.end();
    }
    text(template.substring(from));
    hasFields = template.contains("{" + DATA);
  }

  private void text(String text) {
    places.add(new Place("", message -> Optional.of(text)));
  }

  private static Part place(String name) {
    if (name.startsWith(HEADER)) {
      String header = name.substring(HEADER.length());
      return message -> text(name, value(message.headers().lastHeader(header)));
    }
    if (name.startsWith(DATA)) {
      return field(name.substring(DATA.length()));
    }
    return switch (name) {
      case "topic" -> message -> Optional.of(message.topic());
      case "partition" -> message -> Optional.of(Integer.toString(message.partition()));
      default -> message -> text(name, message.key());
    };
  }

  private static byte @Nullable [] value(@Nullable Header header) {
    return header == null ? null : header.value();
  }

  /** Other bytes would all become the same sign, and different keys one topic. */
  private static Optional<String> text(String place, byte @Nullable [] bytes) throws Missing {
    if (bytes == null) {
      return Optional.empty();
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACED) >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
      throw new Missing("the message has a {" + place + "} that is no UTF-8");
    }
    return Optional.of(text);
  }

  private static Part field(String path) {
    List<JsonField> fields = Arrays.stream(path.split("\\.")).map(JsonField::new).toList();
    return message -> {
      byte[] object = message.value();
      for (int i = 0; i < fields.size(); i++) {
        JsonField field = fields.get(i);
        if (i > 0 && object[0] != '{' || !field.find(object)) {
          return Optional.empty();
        }
        if (i == fields.size() - 1) {
          return field.isNested() ? Optional.empty() : Optional.of(field.text());
        }
        object = field.bytes();
      }
      return Optional.empty();
    };
  }

  /** Whether it looks into the data, which must be known to be JSON then. */
  boolean hasFields() {
    return hasFields;
  }

  /** The topic; whether it is one is for others to say. */
  String of(ConsumerRecord<byte[], byte[]> message) throws Missing {
    StringBuilder topic = new StringBuilder();
    for (Place place : places) {
      Optional<String> said = place.part().of(message);
      if (said.isEmpty()) {
        throw new Missing("the message has no {" + place.name() + "}");
      }
      topic.append(said.get());
    }
    return topic.toString();
  }
}
