package io.galop.ops.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may have a browser act. */
class PageOriginTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, node:9090, false, true",
        "http://node:9090, same-origin, node:9090, false, true",
        "https://node:9090, same-origin, node:9090, true, true",
        "https://Node:9090, -, node:9090, false, true",
        "-, none, node:9090, true, true",
        "http://node:9090, -, node:9090, true, false",
        "http://node:8080, same-site, node:9090, false, false",
        "http://node, -, node:9090, false, false",
        "http://node:90901, -, node:9090, false, false",
        "http://evil.example, cross-site, node:9090, false, false",
        "-, cross-site, node:9090, false, false",
        "-, same-site, node:9090, false, false",
        "null, -, node:9090, false, false",
        "http://null, -, -, false, false",
      })
  void onlyTheConsoleMay(String origin, String site, String host, boolean isTls, boolean may) {
    assertEquals(may, new PageOrigin(origin, site, host, isTls).refusal(true).isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, true", "http://node:9090, false", "http://evil.example, false"})
  void noPageMayWhereNobodyLogsIn(String origin, boolean may) {
    PageOrigin page = new PageOrigin(origin, null, "node:9090", false);
    assertEquals(may, page.refusal(false).isEmpty());
  }
}
