package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers of a registration. */
class WishesTest {
  private static Wishes parse(String json) {
    return Wishes.parse(new JsonObject(json), 4);
  }

  @Test
  void theirNamesMayBeInAnyCase() {
    Wishes wishes =
        parse("{\"Since\":\"1.2-3\",\"SNAPSHOT\":true,\"Mode\":\"latest\",\"MAXRATE\":5}");
    assertTrue(wishes.since().isPresent());
    assertTrue(wishes.snapshot());
    assertTrue(wishes.latest());
    assertEquals(Optional.of(5.0), wishes.maxRate());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Since\":\"x\"}",
        "{\"SNAPSHOT\":\"maybe\"}",
        "{\"Words\":\"some\"}",
        "{\"fields\":\"a,,b\"}",
        "{\"fields\":\"[1\"}",
        "{\"since\":\"\",\"Since\":\"\"}"
      })
  void whatTheyMayNotBeIsRefused(String json) {
    assertThrows(IllegalArgumentException.class, () -> parse(json));
  }

  @Test
  void deltasAreForWhoAsksForThem() {
    assertTrue(parse("{\"Deltas\":true}").deltas());
    assertTrue(!parse("{\"deltas\":\"false\",\"since\":\"\"}").deltas());
    assertTrue(!parse("{\"since\":\"\"}").deltas());
    assertThrows(IllegalArgumentException.class, () -> parse("{\"deltas\":\"some\"}"));
  }

  @Test
  void fieldsAreNamesWithCommasOrAList() {
    assertEquals(Optional.of(Set.of("a", "b c")), parse("{\"fields\":\"a, b c\"}").fields());
    assertEquals(Optional.of(Set.of("a,b")), parse("{\"fields\":[\"a,b\"]}").fields());
    assertEquals(Optional.of(Set.of()), parse("{\"fields\":\"\"}").fields());
    assertEquals(Optional.of("data.a > 1"), parse("{\"Where\":\"data.a > 1\"}").where());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"x\":1}",
        "{\"where\":\"true\",\"mode\":\"latest\"}",
        "{\"maxRate\":0}",
        "{\"maxRate\":\"fast\"}"
      })
  void anUpdateIsOfWhatMayChange(String json) {
    assertThrows(IllegalArgumentException.class, () -> Wishes.parseUpdate(new JsonObject(json), 4));
  }

  @Test
  void anUpdateEndsAWishByAnEmptyText() {
    Wishes none = Wishes.parseUpdate(new JsonObject("{\"maxRate\":\"\"}"), 4);
    assertEquals(Optional.of(0.0), none.maxRate());
    assertEquals(Optional.empty(), none.where());
    Wishes other = Wishes.parseUpdate(new JsonObject("{\"where\":\"\"}"), 4);
    assertEquals(Optional.empty(), other.maxRate());
    assertThrows(IllegalArgumentException.class, () -> parse("{\"maxRate\":\"\"}"));
  }

  /** Who sends none of Galop's headers knows nothing of its words. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                     | false",
        "{\"Authorization\":\"x\"}              | false",
        "{\"since\":null}                       | false",
        "{\"since\":\"\"}                       | true",
        "{\"snapshot\":\"false\"}               | true",
        "{\"words\":\"true\"}                   | true",
        "{\"snapshot\":true,\"words\":false}    | false"
      })
  void wordsAreForWhoKnowsThem(String json, boolean words) {
    assertEquals(words, parse(json).words());
    assertEquals(Optional.empty(), parse("{}").since());
  }
}
