package io.galop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonLineTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      delimiter = ';',
      value = {
        "{;Unexpected end-of-input: expected close marker for Object (column 2)",
        "{\"a\":[1;Unexpected end-of-input: expected close marker for Array (column 8)",
        "{\"a\":NaN};Non-standard token 'NaN' (column 9)",
      })
  void saysWhatIsWrongWithALineAndNothingOfTheParser(String line, String why) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> JsonLine.scan(bytes));
    assertEquals("is no valid JSON: " + why, wrong.getMessage());
  }
}
