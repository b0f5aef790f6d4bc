package io.galop.persist.kafka;

import io.galop.persist.store.BadRecordException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The topic of Kafka that a topic of Galop goes to, by a template. */
final class KafkaTopicName {
  private static final Pattern PLACE = Pattern.compile("\\{(topic|[1-9])}");
  private static final Pattern FORBIDDEN = Pattern.compile("[^a-zA-Z0-9._-]");
  private static final int MOST_CHARACTERS = 249;

  private final String template;

  KafkaTopicName(String template) {
    this.template = template;
  }

  /**
   * The name; what Kafka does not allow in it becomes '_'.
   *
   * @throws BadRecordException if the topic lacks a level, or the name gets too long
   */
  String of(String topic) throws BadRecordException {
    String[] levels = topic.split("/", -1);
    Matcher places = PLACE.matcher(template);
    while (places.find()) {
      if (Character.isDigit(places.group(1).charAt(0)) && level(places) > levels.length) {
        throw new BadRecordException("its topic has no level " + places.group(1), null);
      }
    }
    String name = PLACE.matcher(template).replaceAll(place -> part(place, topic, levels));
    if (name.isEmpty() || name.length() > MOST_CHARACTERS || name.matches("\\.{1,2}")) {
      throw new BadRecordException("'" + name + "' can be no topic of Kafka", null);
    }
    return name;
  }

  private static int level(MatchResult place) {
    return Integer.parseInt(place.group(1));
  }

  private static String part(MatchResult place, String topic, String[] levels) {
    String text = place.group(1).equals("topic") ? topic : levels[level(place) - 1];
    return FORBIDDEN.matcher(text.replace('/', '.')).replaceAll("_");
  }
}
