package io.galop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class JsonDecimalsTest {
  private static double parse(String text) {
    byte[] bytes = ("[" + text + "]").getBytes(StandardCharsets.US_ASCII);
    return JsonDecimals.parse(bytes, 1, bytes.length - 1);
  }

  private static String text(double value) {
    StringBuilder text = new StringBuilder();
    JsonDecimals.append(value, text);
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1.0, 1",
    "-17, -17",
    "4.4, 4.4",
    "0.05, 0.05",
    "-0.000000001, -0.000000001",
    "123456.789, 123456.789",
    "9007199254740991, 9007199254740991",
    "1e21, 1.0E21",
    "1.5e-12, 1.5E-12"
  })
  void printsAsShortAsItCan(String given, String printed) {
    assertEquals(printed, text(parse(given)));
  }

  @Test
  void readsAndPrintsEveryNumberBackAsItIs() {
    Random random = new Random(5);
    for (int i = 0; i < 200_000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      double decimal = (random.nextLong() >> random.nextInt(60)) / Math.pow(10, random.nextInt(25));
      for (double value : new double[] {any, decimal, random.nextGaussian()}) {
        if (!Double.isNaN(value) && !Double.isInfinite(value)) {
          assertEquals(value, parse(Double.toString(value)));
          assertEquals(value, parse(text(value)) + 0.0, Double.toString(value));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.1999999999999993, 4.6, 0.2",
    "-0.1999999999999993, 4.6, -0.2",
    "12.333333333333334, 14, 12.33333333333",
    "0.000123456789012345, 2, 0.00012345679",
    "100.00000000000001, 100, 100",
    "1e-30, 1e-29, 1.0E-30",
    "5, 0, 5",
    "123456789012345, 123456789012345, 123456789012345",
    "1e300, 1e300, 1.0E300"
  })
  void roundsToSomeTwelveDigitsOfTheMagnitude(double result, double magnitude, String expected) {
    StringBuilder text = new StringBuilder();
    JsonDecimals.appendRounded(result, magnitude, text);
    assertEquals(expected, text.toString());
  }
}
