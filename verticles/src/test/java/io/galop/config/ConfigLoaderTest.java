package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.yaml.ConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
  private static final String VARIABLE = "GALOP_INGEST_LIMITS_MAX_DATA_BYTES";

  @TempDir Path directory;

  private static GalopConfig load(Map<String, String> environment, String... sets) {
    return ConfigLoader.load(Optional.empty(), environment, List.of(sets), Map.of());
  }

  private static String refusal(Map<String, String> environment, String... sets) {
    return assertThrows(ConfigException.class, () -> load(environment, sets)).getMessage();
  }

  private Path file(String yaml) throws Exception {
    return Files.writeString(directory.resolve("galop.yaml"), yaml);
  }

  private int maxDataBytes(
      String yaml, Map<String, String> environment, List<String> sets, Map<String, Object> overlay)
      throws Exception {
    return ConfigLoader.load(Optional.of(file(yaml)), environment, sets, overlay)
        .ingest()
        .limits()
        .maxDataBytes();
  }

  @Test
  void laterSourcesOverrideEarlierOnes() throws Exception {
    String key = "ingest.limits.maxDataBytes";
    Map<String, Object> overlay = Map.of(key, 101);
    String yaml = "ingest: {limits: {maxDataBytes: 102}}";
    Map<String, String> environment = Map.of(VARIABLE, "103");
    List<String> sets = List.of(key + "=104");
    assertEquals(65536, maxDataBytes("{}", Map.of(), List.of(), Map.of()));
    assertEquals(101, maxDataBytes("ingest:", Map.of(), List.of(), overlay));
    assertEquals(102, maxDataBytes(yaml, Map.of(), List.of(), overlay));
    assertEquals(103, maxDataBytes(yaml, environment, List.of(), overlay));
    assertEquals(104, maxDataBytes(yaml, environment, sets, overlay));
  }

  @Test
  void aSourceKeepsTheNeighboursOfTheKeysItSets() throws Exception {
    Path file = file("http: {host: 127.0.0.2, port: 81}");
    GalopConfig config =
        ConfigLoader.load(Optional.of(file), Map.of(), List.of("http.port=82"), Map.of());
    assertEquals("127.0.0.2", config.http().host());
    assertEquals(82, config.http().port());
  }

  @Test
  void listsAreReplacedWhole() {
    assertEquals(List.of(Role.PERSIST), load(Map.of(), "node.roles=[persist]").roles());
    assertEquals(
        List.of(Role.PERSIST, Role.ENRICH),
        load(Map.of("GALOP_NODE_ROLES", "persist, enrich")).roles());
    assertEquals(List.of(), load(Map.of("GALOP_CLUSTER_MEMBERS", "")).cluster().members());
  }

  @Test
  void textNeedsNoQuotesInAVariable() {
    assertEquals("#a: [b", load(Map.of("GALOP_NODE_DATA_DIR", "#a: [b")).node().dataDir());
  }

  @Test
  void refusesAWrongVariable() {
    assertEquals(
        "http.port: must be a whole number from 0 to 65535, not 'x' (GALOP_HTTP_PORT)",
        refusal(Map.of("GALOP_HTTP_PORT", "x")));
    assertEquals(
        "GALOP_HTTP_PROT: unknown variable, no key is spelled so; did you mean 'GALOP_HTTP_PORT'?"
            + " (environment)",
        refusal(Map.of("GALOP_HTTP_PROT", "1", "GALOP_HOME", "/opt", "PATH", "/bin")));
    assertEquals(
        "node.roles: is not valid YAML, while parsing a flow sequence: expected ',' or ']', but got"
            + " <stream end> (GALOP_NODE_ROLES)",
        refusal(Map.of("GALOP_NODE_ROLES", "[ingest")));
  }

  @Test
  void refusesAWrongSet() {
    assertEquals(
        "--set http.port: must be key=value, the key a dotted path like http.port",
        refusal(Map.of(), "http.port"));
    assertEquals(
        "--set a[0]: must be key=value, the key a dotted path like http.port",
        refusal(Map.of(), "a[0]=1"));
    assertEquals(
        "http.prot: unknown key, known here: host, port, idleTimeoutSeconds,"
            + " firstRequestTimeoutSeconds, maxConnections,"
            + " maxConnectionsPerAddress, trustedProxies, allowedHosts, pages, proxyProtocol,"
            + " tls, insecure;"
            + " did you mean 'port'?"
            + " (--set)",
        refusal(Map.of(), "http.prot=1"));
    assertEquals(
        "http.port.x: must be a whole number from 0 to 65535, not a map with the keys x (--set)"
            .replace("port.x", "port"),
        refusal(Map.of(), "http.port.x=1"));
  }

  @Test
  void tellsAllProblemsAtOnce() {
    assertEquals(
        """
        GALOP_NO: unknown variable, no key is spelled so (environment)
        http.port: must be a whole number from 0 to 65535, not '-1' (--set)
        persist.ack: must be disk, replica or memory, not 'tape' (--set)\
        """,
        refusal(Map.of("GALOP_NO", "1"), "http.port=-1", "persist.ack=tape"));
  }

  @Test
  void refusesAFileThatCannotBeRead() throws Exception {
    Path missing = directory.resolve("none.yaml");
    assertEquals(missing + ": there is no such file", refusal(missing));
    Path latin = directory.resolve("latin.yaml");
    Files.write(latin, "node: {name: é}".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(latin + ": is not UTF-8", refusal(latin));
    assertEquals(
        "galop.yaml:2:1: is not valid YAML, while scanning for the next token: found character"
            + " '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation)",
        refusal(file("http:\n\tport: 1")));
  }

  private static String refusal(Path file) {
    return assertThrows(
            ConfigException.class,
            () -> ConfigLoader.load(Optional.of(file), Map.of(), List.of(), Map.of()))
        .getMessage();
  }
}
