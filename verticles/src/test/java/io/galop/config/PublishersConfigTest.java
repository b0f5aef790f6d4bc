package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ingest.IngestCheck;
import io.galop.yaml.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused of publishers before a node starts. */
class PublishersConfigTest {
  private static final String HASH = "a".repeat(64);
  private static final String OTHER = "b".repeat(64);
  @TempDir private Path directory;

  private static GalopConfig load(String... sets) {
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(sets), Map.of());
  }

  private static void refused(String with, String publishers, String... more) {
    List<String> sets = new java.util.ArrayList<>(List.of(more));
    sets.add("ingest.publishers=[" + publishers + "]");
    String[] all = sets.toArray(String[]::new);
    String message = assertThrows(ConfigException.class, () -> load(all)).getMessage();
    assertTrue(message.contains(with), message);
  }

  private static String one(String name, String hash, String more) {
    return "{name: %s, tokenSha256: %s%s}".formatted(name, hash, more);
  }

  @Test
  void eachIsWhole() {
    refused("[0].name: must be 1 to 64 letters", one("'a b'", HASH, ""));
    refused("[0].tokenSha256: must be 64 hexadecimal digits", one("a", "s3cret", ""));
    refused("[0].tokenSha256: must be empty where", one("a", HASH, ", tokenFile: f"));
    refused("[0].tokenSha256: must be given, or tokenFile", "{name: a}");
    refused("[0].mqttUser: must come with", "{name: a, certificate: CN=a, mqttUser: b}");
    refused("[0].certificate: must be the subject", one("a", HASH, ", certificate: pump"));
    refused("[0].certificate: needs a door that asks", one("a", HASH, ", certificate: CN=a"));
    refused("[0].topics[1]: must be a topic filter", one("a", HASH, ", topics: [a, b#]"));
  }

  @Test
  void noQuotaIsSmallerThanARecord() {
    refused("[0].maxBytesPerSecond: must be 0 or at", one("a", HASH, ", maxBytesPerSecond: 65536"));
    refused("[0].maxInFlightBytes: must be 0 or at", one("a", HASH, ", maxInFlightBytes: 65536"));
    load(
        "ingest.limits.maxDataBytes=1024",
        "ingest.publishers=[" + one("a", HASH, ", maxBytesPerSecond: 65536") + "]");
  }

  @Test
  void twoAreNotTheSame() {
    refused("[1].name: must differ from that of", one("a", HASH, "") + "," + one("a", OTHER, ""));
    refused("[1].tokenSha256: must differ", one("a", HASH, "") + "," + one("b", HASH, ""));
    refused(
        "[0].name: must differ from that of the publisher of ingest.token",
        one("default", HASH, ""),
        "ingest.token=t");
  }

  @Test
  void filesAreLookedAt() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
    String files = "ingest.publishers=[{name: a, tokenFile: %s}, {name: b, tokenFile: %s}]";
    assertEquals(
        List.of("ingest.publishers[1]: its token must differ from that of ingest.publishers[0]"),
        IngestCheck.problems(load(files.formatted(token, token))));
    List<String> missing =
        IngestCheck.problems(load(files.formatted(token, directory.resolve("none"))));
    assertTrue(missing.get(0).startsWith("ingest.publishers[1].tokenFile must name"), "" + missing);
    List<String> both =
        IngestCheck.problems(
            load("ingest.token=s3cret", "ingest.publishers=[{name: a, tokenFile: " + token + "}]"));
    assertTrue(both.get(0).contains("that of ingest.token"), "" + both);

    Path list = directory.resolve("publishers.yaml");
    GalopConfig config = load("ingest.publishersFile=" + list);
    assertTrue(IngestCheck.problems(config).get(0).contains("it cannot be read"));
    Files.writeString(list, "publishers:\n  - {name: a, tokenSha256: x}\n  - {nam: b}\n");
    List<String> wrong = IngestCheck.problems(config);
    assertTrue(wrong.stream().anyMatch(one -> one.contains("publishers[1].nam")), "" + wrong);
    Files.writeString(
        list, "publishers:\n  - %s\n  - %s\n".formatted(one("a", HASH, ""), one("a", OTHER, "")));
    assertTrue(IngestCheck.problems(config).get(0).contains("publishers[1].name: must differ"));
    Files.writeString(list, "publishers:\n  - " + one("a", HASH, "") + "\n");
    assertEquals(List.of(), IngestCheck.problems(config));
  }

  @Test
  void theyGuardDoorsAndAreNotShown() {
    GalopConfig config =
        load(
            "ingest.publishers=[" + one("a", HASH, "") + "]",
            "ingest.tcp.host=10.0.0.1",
            "ingest.tcp.insecure=true");
    assertFalse(config.toString().contains(HASH));
    assertFalse(ConfigYaml.print(config).contains(HASH));
    String open =
        assertThrows(
                ConfigException.class,
                () -> load("ingest.tcp.host=10.0.0.1", "ingest.tcp.insecure=true"))
            .getMessage();
    assertTrue(open.contains("ingest.publishers"), open);
  }
}
