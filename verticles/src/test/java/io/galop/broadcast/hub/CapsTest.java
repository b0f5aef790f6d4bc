package io.galop.broadcast.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pace holds: the least of what is asked for, allowed by the token, and capped. */
class CapsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static TopicFilter filter(String text) {
    return TopicFilter.parse(text, 100);
  }

  /** Written as {@code filter rate bytes}, with semicolons between them; 0 is none. */
  private static Caps caps(String text) {
    return new Caps(
        Arrays.stream(text.split(";"))
            .map(one -> one.strip().split(" "))
            .map(p -> new Cap(filter(p[0]), Double.parseDouble(p[1]), Long.parseLong(p[2])))
            .toList());
  }

  private static Pacing asked(double rate, long bytes) {
    return new Pacing(false, rate, bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // caps | registered | asked: rate, bytes | token: rate, bytes | what is told
        "race/# 10 0 | race/1   | 0 | 0 | 0 | 0 | {'maxRate':10}",
        "race/# 10 0 | race/#   | 2.5 | 0 | 0 | 0 | {'maxRate':2.5}",
        "race/# 10 0 | race/+/x | 50 | 0 | 0 | 0 | {'maxRate':10}",
        "race/# 10 0 | race/1   | 50 | 0 | 4 | 0 | {'maxRate':4}",
        "race/# 10 0 | #        | 0 | 0 | 0 | 0 | {'lower':[{'topics':'race/#','maxRate':10}]}",
        "race/# 10 0 | #        | 50 | 0 | 0 | 0 | {'maxRate':50,'lower':[{'topics':'race/#','maxRate':10}]}",
        "race/# 10 0 | #        | 5 | 0 | 0 | 0 | {'maxRate':5}",
        "race/# 10 0 | #        | 50 | 0 | 10 | 0 | {'maxRate':10}",
        "race/# 10 0; race/1 1 0 | race/1 | 0 | 0 | 0 | 0 | {'maxRate':1}",
        "race/# 10 0; race/1 1 0 | race/+ | 0 | 0 | 0 | 0 | {'maxRate':10,'lower':[{'topics':'race/1','maxRate':1}]}",
        "race/# 10 0; race/1 20 0 | race/+ | 0 | 0 | 0 | 0 | {'maxRate':10}",
        "a/# 0 500  | a | 0 | 0 | 0 | 0 | {'maxBytesPerSecond':500}",
        "a/# 0 500  | # | 0 | 900 | 0 | 0 | {'maxBytesPerSecond':500}",
        "a/# 0 500  | # | 0 | 400 | 0 | 0 | {'maxBytesPerSecond':400}",
        "a/# 0 500  | # | 0 | 400 | 0 | 300 | {'maxBytesPerSecond':300}",
        "a/# 2 500; a/b 0 200 | a/+ | 0 | 0 | 0 | 0 | {'maxRate':2,'maxBytesPerSecond':200}",
      })
  void theLeastHolds(
      String caps, String filter, double rate, long bytes, double by, long of, String told) {
    TopicFilter registered = filter(filter);
    PaceInForce pace =
        PaceInForce.of(registered, caps(caps).over(registered), asked(rate, bytes), by, of);
    assertEquals(new JsonObject(told.replace('\'', '"')), pace.json());
  }

  @Test
  void onlyThoseConcernAFilterThatMeanATopicOfIt() {
    Caps caps = caps("race/# 10 0; plant/+/vibration 2 0; $alarm/# 1 0");
    assertEquals(List.of(), caps.over(filter("site/#")));
    assertEquals(List.of(), caps.over(filter("plant/1/heat")));
    assertEquals(1, caps.over(filter("+/1/vibration/#")).stream().filter(this::isPlant).count());
    assertEquals(2, caps.over(filter("#")).size(), "a leading wildcard means no topic with $");
  }

  private boolean isPlant(Cap cap) {
    return cap.topics().toString().startsWith("plant");
  }

  @Test
  void theLowestOfATopicHolds() {
    Caps caps = caps("race/# 10 0; race/+/odds 2 0; race/1/# 5 0; race/2/odds 0 500");
    assertEquals(2, caps.rate("race/1/odds"));
    assertEquals(5, caps.rate("race/1/name"));
    assertEquals(10, caps.rate("race/2/name"));
    assertEquals(2, caps.rate("race/2/odds"));
    assertEquals(0, caps.rate("plant/1"));
  }

  /** What is told has a bound. */
  @Test
  void aHundredAreTold() {
    String many =
        String.join(";", IntStream.range(0, 130).mapToObj(n -> "a/" + n + " 1 0").toList());
    JsonObject told =
        PaceInForce.of(filter("#"), caps(many).over(filter("#")), Pacing.EVERY, 0, 0).json();
    assertEquals(100, told.getJsonArray("lower").size());
    assertEquals(30, told.getInteger("more"));
  }

  @Test
  void eachTopicGoesByItsOwnRate() {
    CapPace pace = pace(caps("race/# 1 0; race/slow 0.1 0"), "#", new HashMap<>());
    long now = 5 * SECOND;
    for (String topic : List.of("race/a", "race/slow", "free")) {
      assertTrue(pace.isDue(topic, now));
      pace.sent(topic, now);
    }
    assertFalse(pace.isDue("race/a", now + SECOND - 1));
    assertTrue(pace.isDue("race/a", now + SECOND));
    assertFalse(pace.isDue("race/slow", now + 10 * SECOND - 1));
    assertTrue(pace.isDue("race/slow", now + 10 * SECOND));
    assertTrue(pace.isDue("free", now));
    assertTrue(pace.isFree("free") && !pace.isFree("race/a"));
    assertFalse(pace.maySnapshotAgain(now, now + SECOND - 1));
    assertTrue(pace.maySnapshotAgain(now, now + SECOND), "not only after ten");
  }

  /** Whoever registers a filter again is not sent its topics sooner; another has its own pace. */
  @Test
  void aRegistrationKeepsItsPlacesInItsConnection() {
    Map<Double, TopicPace> connection = new HashMap<>();
    Caps caps = caps("race/# 1 0");
    long now = 5 * SECOND;
    pace(caps, "race/+", connection).sent("race/a", now);
    assertFalse(pace(caps, "race/+", connection).isDue("race/a", now + 1));
    assertTrue(pace(caps, "race/#", connection).isDue("race/a", now + 1));
  }

  private static CapPace pace(Caps caps, String filter, Map<Double, TopicPace> connection) {
    return new CapPace(() -> caps, caps.over(filter(filter)), connection, filter.hashCode());
  }
}
