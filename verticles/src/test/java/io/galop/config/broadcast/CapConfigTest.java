package io.galop.config.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.yaml.ConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is refused of caps before a node starts; each error names the cap. */
class CapConfigTest {
  private static BroadcastConfig load(String caps) {
    List<String> sets = List.of("broadcast.caps=[" + caps + "]");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()).broadcast();
  }

  private static void refused(String why, String caps) {
    String message = assertThrows(ConfigException.class, () -> load(caps)).getMessage();
    assertTrue(message.contains("broadcast.caps" + why), message);
  }

  private static String each(int count, String cap) {
    return IntStream.range(0, count)
        .mapToObj(n -> cap.formatted(n, n + 1))
        .collect(Collectors.joining(", "));
  }

  @Test
  void eachHasAFilterAndLimitsSomething() {
    String good = "{topics: a, maxRate: 10}, ";
    refused("[1].topics: must be a topic filter", good + "{topics: a/b#, maxRate: 1}");
    refused("[1].topics: must be given", good + "{maxRate: 1}");
    refused("[1]: must limit something", good + "{topics: a}");
    for (String wrong : List.of("0", "-1", "1000001", "fast")) {
      refused("[1].maxRate: must be", good + "{topics: a, maxRate: " + wrong + "}");
    }
    for (String wrong : List.of("0", "99", "1.5", "1000000001")) {
      refused(
          "[1].maxBytesPerSecond: must be", good + "{topics: a, maxBytesPerSecond: " + wrong + "}");
    }
  }

  @Test
  void thereAreNotTooMany() {
    assertEquals(1000, load(each(1000, "{topics: a/%d, maxRate: 1}")).caps().size());
    refused("[1000]: is one too many", each(1001, "{topics: a/%d, maxRate: 1}"));
    assertEquals(16, load(each(16, "{topics: a/%d, maxRate: %d}")).caps().size());
    refused("[16].maxRate: must be one of the", each(17, "{topics: a/%d, maxRate: %d}"));
  }

  @Test
  void theyAreNoneUnlessGiven() {
    assertEquals(List.of(), load("").caps());
    CapConfig cap = load("{topics: plant/+/vibration, maxRate: 2.5}").caps().get(0);
    assertEquals(new CapConfig("plant/+/vibration", Optional.of(2.5), Optional.empty()), cap);
  }
}
