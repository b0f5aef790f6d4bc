package io.galop.enrich;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlidingWindowTest {

  private record Sample(long timeUs, double value) {}

  /** The same figures as going through all samples each time. */
  @ParameterizedTest
  @CsvSource({"100, 1000000", "0, 7", "50, 1", "1000, 33", "100000, 4096"})
  void agreesWithASimpleModel(long widthUs, int maxSamples) {
    Random random = new Random(11);
    SlidingWindow window = new SlidingWindow(widthUs, maxSamples);
    ArrayDeque<Sample> model = new ArrayDeque<>();
    long newestUs = 0;
    for (int i = 0; i < 20_000; i++) {
      long timeUs = newestUs + random.nextInt(12) - 3;
      newestUs = Math.max(newestUs, timeUs);
      double value = random.nextInt(1000) / 10.0 + (random.nextInt(500) == 0 ? 1e12 : 0);
      boolean tooOld = widthUs > 0 && timeUs <= newestUs - widthUs;
      assertEquals(!tooOld, window.add(timeUs, value));
      if (!tooOld) {
        long oldest = newestUs - widthUs;
        while (!model.isEmpty()
            && (model.size() >= maxSamples || widthUs > 0 && model.peek().timeUs() <= oldest)) {
          model.remove();
        }
        model.add(new Sample(timeUs, value));
      }
      compare(model, window);
    }
  }

  private static void compare(ArrayDeque<Sample> model, SlidingWindow window) {
    assertEquals(model.size(), window.count());
    assertEquals(model.stream().mapToDouble(Sample::value).min().getAsDouble(), window.min());
    assertEquals(model.stream().mapToDouble(Sample::value).max().getAsDouble(), window.max());
    double mean = model.stream().mapToDouble(Sample::value).average().getAsDouble();
    assertEquals(mean, window.mean(), Math.max(1e-9, window.max() * 1e-11));
  }

  @Test
  void aLateSampleThatIsTooOldIsNotTaken() {
    SlidingWindow window = new SlidingWindow(100, 10);
    assertTrue(window.add(1000, 1));
    assertFalse(window.add(900, 50));
    assertTrue(window.add(901, 2));
    assertEquals(2, window.count());
    assertEquals(2, window.max());
  }

  @Test
  void knowsTheLastChangeAndItsTime() {
    SlidingWindow window = new SlidingWindow(10, 10);
    window.add(1, 4.4);
    assertFalse(window.hasChanged());
    window.add(2, 4.6);
    window.add(3, 4.6);
    window.add(500, 4.6);
    assertEquals(0.2, window.change(), 1e-12);
    assertEquals(2, window.changedUs());
    window.add(501, 4.1);
    assertEquals(-0.5, window.change(), 1e-12);
    assertEquals(501, window.changedUs());
  }

  @Test
  void whatAHugeValueRoundedAwayIsBackWhenItLeaves() {
    SlidingWindow window = new SlidingWindow(0, 3);
    for (double value : new double[] {0.1, 1e17, 0.2, 0.3, 0.4}) {
      window.add(1, value);
    }
    assertEquals(0.3, window.mean(), 1e-15);
  }
}
