package io.galop.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code docker/compose.yml} promises, as far as it can be read. */
class ComposeTest {
  /** {@code GalopNode.close}: what it gives browsers beyond their time. */
  private static final int DRAIN_GRACE_SECONDS = 5;

  @TempDir Path directory;
  private String yaml;
  private Compose compose;

  @BeforeEach
  void read() throws IOException {
    yaml = Files.readString(Path.of("..", "docker/compose.yml"));
    compose = Compose.read(yaml);
  }

  private static GalopConfig config(Compose.Service node) {
    return ConfigLoader.load(Optional.empty(), node.environment(), List.of(), Map.of());
  }

  @Test
  void everyNodeIsGivenMoreTimeToStopThanItTakes() {
    assertEquals(4, compose.nodes().size());
    compose
        .nodes()
        .forEach(
            (name, node) -> {
              GalopConfig config = config(node);
              int drain =
                  config.broadcast().drainWaitSeconds()
                      + config.broadcast().drainSeconds()
                      + DRAIN_GRACE_SECONDS;
              long longest = drain + 2 * config.node().shutdownTimeoutMs() / 1000;
              assertTrue(node.seconds("stop_grace_period") > longest, name + ": " + longest + " s");
            });
  }

  @Test
  void everyServiceHasABoundOfMemory() {
    compose.services().forEach((name, service) -> assertTrue(service.bytes("mem_limit") > 0, name));
  }

  @Test
  void haproxyMayOpenTheFilesThatItsConnectionsTake() {
    Compose.Service haproxy = compose.service("haproxy");
    int connections = Integer.parseInt(haproxy.environment().get("GALOP_MAX_CONNECTIONS"));
    assertTrue(haproxy.openFiles() > 2 * connections + 100, "" + haproxy.openFiles());
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "mariadb", "mongo"})
  void eachStoreCanBeLeftOutAsTheCommentSays(String store) throws ConfigException {
    Compose left = Compose.read(Compose.without(yaml, store));
    assertNull(left.services().get(store));
    assertEquals(compose.services().size() - 1, left.services().size());
    for (String name : Set.of("secure-1", "secure-2")) {
      GalopConfig config = config(left.service(name));
      int stores = config.persist().cold().stores().size();
      assertEquals(2, stores + (config.persist().backup().isPresent() ? 1 : 0), store);
    }
    left.services()
        .forEach((name, service) -> assertFalse(service.text("depends_on").contains(store), name));
  }

  @Test
  void noSecretStandsInTheFileOrOnACommandLine() {
    assertFalse(yaml.contains("${"), "variables are on the command line of who starts it");
    compose
        .services()
        .forEach(
            (name, service) ->
                service
                    .environment()
                    .forEach(
                        (variable, value) ->
                            assertTrue(
                                !variable.matches(".*(TOKEN|PASSWORD|SECRET)") || value.equals("1"),
                                name + " " + variable)));
  }

  /** Or whoever is in the network of the nodes could speak on their event bus. */
  @Test
  void everyNodeAsksForTheSecretOfTheCluster() {
    compose
        .nodes()
        .forEach(
            (name, node) -> {
              String file = config(node).cluster().secretFile();
              assertEquals("/run/secrets/cluster-secret", file, name);
              assertTrue(node.texts("secrets").contains("cluster-secret"), name);
            });
    assertTrue(yaml.contains("cluster-secret: {file: ./secrets/cluster-secret}"));
  }

  @Test
  void whoReachesAManagementPortLogsIn() {
    for (String name : Set.of("front-1", "front-2")) {
      Compose.Service node = compose.service(name);
      assertEquals(1, config(node).management().operators().size(), name);
      assertTrue(node.texts("secrets").contains("operator-hash"), name);
    }
    assertTrue(yaml.contains("operator-hash: {file: ./secrets/operator-hash}"));
  }

  @Test
  void secretsAreMadeOnceAndKeptOutOfImagesAndHistory() throws Exception {
    Path copy = directory.resolve("make-secrets");
    Files.copy(Path.of("..", "docker/make-secrets"), copy);
    make(copy);
    Path secrets = directory.resolve("secrets");
    String token = Files.readString(secrets.resolve("token"));
    String pem = Files.readString(secrets.resolve("certificates/feed.pem"));
    assertEquals(33, token.length(), "16 bytes and the end of the line");
    assertTrue(pem.contains("PRIVATE KEY") && pem.contains("CERTIFICATE"));
    assertEquals("rwx------", mode(secrets), "other users of the machine stay out");
    assertEquals(33, Files.size(secrets.resolve("cluster-secret")));
    assertEquals(65, Files.size(secrets.resolve("operator-hash")));
    make(copy);
    assertEquals(token, Files.readString(secrets.resolve("token")), "stores know the old one");
    assertEquals(pem, Files.readString(secrets.resolve("certificates/feed.pem")));
    for (String ignored : List.of(".gitignore", ".dockerignore")) {
      List<String> lines = Files.readAllLines(Path.of("..", ignored));
      assertTrue(lines.stream().anyMatch(line -> line.matches("/?docker/secrets/?")), ignored);
      assertTrue(lines.stream().anyMatch(line -> line.endsWith("*.key")), ignored);
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void make(Path script) throws Exception {
    Process process =
        new ProcessBuilder("bash", script.toString()).redirectErrorStream(true).start();
    String words = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), words);
  }
}
