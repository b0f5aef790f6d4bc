package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.yaml.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a client is, by what proxies say and whether they are believed. */
class TrustedProxiesTest {
  private static final TrustedProxies PROXIES =
      new TrustedProxies(List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00::/9")));

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1  | 192.0.2.1                         | 192.0.2.1",
        "10.0.0.1  | 192.0.2.66, 192.0.2.1             | 192.0.2.1",
        "10.0.0.1  | 192.0.2.66, 192.0.2.1, 10.9.9.9   | 192.0.2.1",
        "10.0.0.1  | 10.0.0.3, 10.0.0.2                | 10.0.0.3",
        "10.0.0.1  | 192.0.2.1, unknown                | 10.0.0.1",
        "10.0.0.1  | unknown, 10.0.0.2                 | 10.0.0.2",
        "10.0.0.1  | ''                                | 10.0.0.1",
        "10.0.0.1  | 192.0.2.1:4711                    | 192.0.2.1",
        "10.0.0.1  | [2001:db8:1:2:3::4]:4711          | 2001:db8:1:2::/64",
        "10.0.0.1  | 2001:db8:1:2:3::4                 | 2001:db8:1:2::/64",
        "fd00::1   | 192.0.2.1                         | 192.0.2.1",
        "fd80::1   | 192.0.2.1                         | fd80::/64",
        "192.0.2.9 | 192.0.2.1                         | 192.0.2.9",
        "::ffff:10.0.0.1 | 192.0.2.1                   | 192.0.2.1"
      })
  void theLastThatIsNoProxyIsTheClient(String peer, String forwarded, String client) {
    assertEquals(client, PROXIES.client(ip(peer), List.of(forwarded)).site());
  }

  @Test
  void blocksEndWhereTheyEnd() {
    Cidr block = Cidr.parse("192.168.64.0/19");
    assertTrue(block.contains(ip("192.168.95.255")));
    assertTrue(!block.contains(ip("192.168.96.0")));
    assertTrue(block.contains(ip("::ffff:192.168.64.0")));
    assertTrue(Cidr.parse("::ffff:192.168.64.0/19").contains(ip("192.168.95.255")));
    assertTrue(Cidr.parse("192.168.95.255/19").contains(ip("192.168.64.0")), "bits behind it");
    assertTrue(Cidr.parse("0.0.0.0/0").contains(ip("203.0.113.9")));
    assertTrue(Cidr.parse("::/0").contains(ip("2001:db8::1")));
    assertTrue(!Cidr.parse("::/0").contains(ip("203.0.113.9")));
    assertTrue(!Cidr.parse("0.0.0.0/0").contains(ip("::1")));
    assertTrue(Cidr.parse("::1").contains(ip("::1")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proxy.example",
        "10.0.0.0/33",
        "10.0.0.0/x",
        "10.0.0/8",
        "::/129",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/",
        "::ffff:10.0.0.0/104",
        "localhost"
      })
  void refusesWhatIsNoBlock(String text) {
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigLoader.parse("http:\n  trustedProxies: ['" + text + "']\n", "f.yaml"));
    String rule = "http.trustedProxies[0]: must be an IP address or a block of them";
    assertTrue(refused.getMessage().startsWith(rule), refused.getMessage());
  }

  @Test
  void theProxyProtocolNeedsAProxy() {
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigLoader.parse("http:\n  proxyProtocol: true\n", "f.yaml"));
    assertTrue(
        refused.getMessage().startsWith("http.trustedProxies: must name the proxies"),
        refused.getMessage());
  }
}
