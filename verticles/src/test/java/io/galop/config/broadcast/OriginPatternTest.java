package io.galop.config.broadcast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.yaml.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which origins a pattern means. */
class OriginPatternTest {
  @ParameterizedTest
  @CsvSource({
    "https://*.example.com,https://a.example.com,true",
    "https://*.example.com,https://A.Example.com:443,true",
    "https://*.example.com,https://example.com,false",
    "https://*.example.com,https://a.b.example.com,false",
    "https://*.example.com,https://aXexample.com,false",
    "https://*.example.com,https://a.example.com.evil.example,false",
    "https://*.example.com,https://evil.example/.example.com,false",
    "https://*.example.com,https://evil@a.example.com,false",
    "https://*.example.com,http://a.example.com,false",
    "https://*.example.com,https://a.example.com:8443,false",
    "https://*.example.com:8443,https://a.example.com:8443,true",
    "https://*.*.example.com,https://a.b.example.com,true",
    "https://a.*.example.com,https://a.b.example.com,true",
    "http://example.com:80,http://example.com,true",
    "http://[::1]:8080,http://[::1]:8080,true",
    "https://example.com,null,false",
    "*,null,true",
    "*,https://any.example,true"
  })
  void meansOneLabelByAStar(String pattern, String origin, boolean isMeant) {
    assertEquals(isMeant, OriginPattern.parse(pattern).matches(origin));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com",
        "https://example.com/",
        "https://*",
        "https://example.*",
        "https://a*.example.com",
        "https://**.example.com",
        "ftp://example.com",
        "https://example.com:*",
        "https://user@example.com",
        "null"
      })
  void refusesWhatIsNoOrigin(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> OriginPattern.parse(text));
    assertTrue(refused.getMessage().endsWith("not '" + text + "'"), refused.getMessage());
  }

  @Test
  void namesThePlaceInTheList() {
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigLoader.parse("broadcast:\n  origins: ['*', nonsense]\n", "f.yaml"));
    assertTrue(
        refused.getMessage().startsWith("broadcast.origins[1]: must be *"), refused.getMessage());
  }
}
