package io.galop.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
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
    assertEquals(5, wishes.maxRate());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Since\":\"x\"}",
        "{\"SNAPSHOT\":\"maybe\"}",
        "{\"Words\":\"some\"}",
        "{\"since\":\"\",\"Since\":\"\"}"
      })
  void whatTheyMayNotBeIsRefused(String json) {
    assertThrows(IllegalArgumentException.class, () -> parse(json));
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
