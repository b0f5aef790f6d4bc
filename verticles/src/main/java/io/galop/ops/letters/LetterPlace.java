package io.galop.ops.letters;

import io.galop.record.DeadLetterData;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which letter is meant, and where it stands among the others, in the order of the history: by
 * event time, id and topic. As a text {@code <timeUs>:<id>}, a tab and the topic, as in {@code
 * after} of the history; neither ids nor topics hold a tab. A place behind which a search goes on
 * may be that of any record.
 */
record LetterPlace(long timeUs, String id, String topic) implements Comparable<LetterPlace> {
  private static final Pattern TEXT = Pattern.compile("(-?\\d{1,18}):([^\t]*)\t([^\t]*)");

  /** What the history says before its place: the stores that its pages are without. */
  private static final Pattern WITHOUT = Pattern.compile("^![^!]*!");

  static LetterPlace of(Record letter) {
    return new LetterPlace(letter.timeUs(), letter.id(), letter.topic());
  }

  /**
   * Reads the name of a letter.
   *
   * @throws IllegalArgumentException if it means no letter
   */
  static LetterPlace parse(String text) {
    LetterPlace place = read(text);
    if (place.id.isEmpty() || !place.topic.startsWith(DeadLetterData.ROOT + "/")) {
      throw wrong();
    }
    return place;
  }

  /**
   * Reads a place behind which to go on, as {@code before} has it or the history.
   *
   * @throws IllegalArgumentException if it is no place
   */
  static LetterPlace behind(String text) {
    String place = WITHOUT.matcher(text).replaceFirst("");
    return read(place.indexOf('\t') < 0 ? place + '\t' : place);
  }

  private static LetterPlace read(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw wrong();
    }
    return new LetterPlace(Long.parseLong(parts.group(1)), parts.group(2), parts.group(3));
  }

  private static IllegalArgumentException wrong() {
    return new IllegalArgumentException(
        "a dead letter is named as GET /dead-letters names it, TIME:ID, a tab and its topic");
  }

  String text() {
    return timeUs + ":" + id + "\t" + topic;
  }

  @Override
  public int compareTo(LetterPlace other) {
    int byTime = Long.compare(timeUs, other.timeUs);
    if (byTime != 0) {
      return byTime;
    }
    int byId = compareBytes(id, other.id);
    return byId != 0 ? byId : compareBytes(topic, other.topic);
  }

  private static int compareBytes(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
