package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.persist.PersistConfig;
import io.galop.config.persist.S3Config;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.config.persist.StoreConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoresConfigTest {
  private static PersistConfig load(String... sets) {
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(sets), Map.of()).persist();
  }

  private static void refused(String with, String... sets) {
    String message = assertThrows(ConfigException.class, () -> load(sets)).getMessage();
    assertTrue(message.contains(with), message);
  }

  @Test
  void onlyTheEmbeddedStoreWithoutConfiguration() {
    PersistConfig config = load();
    assertTrue(config.cold().enabled());
    assertEquals(1, config.cold().every());
    assertEquals(List.of(), config.cold().stores());
    assertEquals(Optional.empty(), config.backup());
  }

  @Test
  void severalStoresAndABackup() {
    PersistConfig config =
        load(
            "persist.backup=redis",
            "persist.cold.stores=[mysql, {mysql: {name: second, sink: {driver: sync}}}]");
    assertEquals("redis", config.backup().orElseThrow().name());
    StoreConfig first = config.cold().stores().get(0);
    assertEquals(5, first.sampling().every());
    assertEquals(Driver.ASYNC, first.sink().driver());
    assertEquals("second", config.cold().stores().get(1).name());
    assertEquals(Driver.SYNC, config.cold().stores().get(1).sink().driver());
  }

  @Test
  void anArchiveKeepsWhatItsFiltersChooseInOrder() {
    StoreConfig archive =
        load("persist.cold.stores=[{archive: {directory: a, topics: ['x/#'], every: 3}}]")
            .cold()
            .stores()
            .get(0);
    assertEquals("archive", archive.name());
    assertEquals(0, archive.sampling().every());
    assertEquals(3, archive.sampling().rules().get(0).every());
    assertEquals(1, archive.sink().inFlight());
    refused("directory", "persist.cold.stores=[archive]");
    refused("directory: must not be empty", "persist.cold.stores=[{archive: {directory: ' '}}]");
    refused("archive.topics", "persist.cold.stores=[{archive: {directory: a, topics: ['x/#/y']}}]");
    refused("maxFileBytes", "persist.cold.stores=[{archive: {directory: a, maxFileBytes: 5}}]");
  }

  private static String s3(String keys) {
    return "persist.cold.stores=[{s3: {bucket: feed, directory: d" + keys + "}}]";
  }

  @Test
  void aBucketGetsTheFilesOfAnArchive() {
    S3Config s3 =
        (S3Config)
            load(s3(", topics: ['x/#'], every: 3, prefixLevels: 2, timeoutMs: 7000"))
                .cold()
                .stores()
                .get(0);
    assertEquals("s3", s3.name());
    assertEquals(3, s3.sampling().rules().get(0).every());
    assertEquals(1, s3.sink().inFlight());
    assertEquals(35_000, s3.sink().timeoutMs());
    assertEquals("d", s3.archive().directory());
    assertEquals(2, s3.archive().prefixLevels());
    assertEquals(0, s3.archive().retentionHours(), "the bucket's own rules delete");
    load(s3(", endpoint: 'https://s3.example:9000', prefix: a/b-1/, caFile: ca.pem"));
    refused("s3.bucket", "persist.cold.stores=[{s3: {directory: d}}]");
    refused("s3.directory", "persist.cold.stores=[{s3: {bucket: feed}}]");
    refused("bucket: must be a bucket's name", s3(", bucket: a/b").replace("bucket: feed, ", ""));
    refused("endpoint: must be http:// or https://", s3(", endpoint: 's3.example:9000'"));
    refused("endpoint: must be", s3(", endpoint: 'https://s3.example/bucket'"));
    refused("region: must be letters", s3(", region: 'a b'"));
    refused("prefix: must be names that each end with '/'", s3(", prefix: a"));
    refused("prefix: must be", s3(", prefix: /a/"));
    refused("caFile: must be empty", s3(", endpoint: 'http://a', caFile: ca.pem"));
    refused("login: must have the access key", s3(", login: {passwordVariable: KEY}"));
    refused("login: must have the access key", s3(", login: {user: galop}"));
    refused("maxFileBytes", s3(", maxFileBytes: 5000000000"));
  }

  @Test
  void anAddressWithASecretIsRefusedWithoutIt() {
    String set = s3(", endpoint: 'https://galop:hidden@s3.example'");
    String message = assertThrows(ConfigException.class, () -> load(set)).getMessage();
    assertTrue(message.contains("endpoint: must be http:// or https://"), message);
    assertTrue(message.contains("keys in login"), message);
    assertFalse(message.contains("hidden"), message);
  }

  @Test
  void whatIsWrongIsToldWithItsPath() {
    refused("give one of those called 'mysql'", "persist.cold.stores=[mysql, mysql]");
    refused("'embedded' another name", "persist.cold.stores=[{mysql: {name: embedded}}]");
    refused("redis.name: must be up to 32", "persist.backup={redis: {name: 'My Redis'}}");
    refused("unknown key", "persist.cold.stores=[{mysql: {sink: {inflight: 3}}}]");
    refused("did you mean 'mysql'?", "persist.cold.stores=[{mysq: {}}]");
    refused(
        "every: must be given, or latestMs instead",
        "persist.cold.stores=[{mysql: {sampling: {rules: [{topics: [a]}]}}}]");
    refused(
        "password: must be given once",
        "persist.backup={redis: {login: {password: a, passwordFile: b}}}");
  }

  @Test
  void virtualThreadsNeedAJavaThatHasThem() {
    String set = "persist.backup={redis: {sink: {driver: sync-virtual}}}";
    if (Runtime.version().feature() < 21) {
      refused("sync-virtual needs Java 21", set);
    } else {
      assertEquals(Driver.SYNC_VIRTUAL, load(set).backup().orElseThrow().sink().driver());
    }
  }

  @Test
  void passwordsAreReadFromFilesAndVariablesAndNeverShown(@TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("password"), "a secret\nand more\n");
    assertEquals("a secret", new StoreLoginConfig("", "", file.toString(), "").readPassword());
    String home = System.getenv("HOME");
    assertEquals(home, new StoreLoginConfig("", "", "", "HOME").readPassword());
    StoreLoginConfig absent = new StoreLoginConfig("", "", "", "NO_SUCH_VARIABLE");
    String message = assertThrows(IOException.class, absent::readPassword).getMessage();
    assertTrue(message.contains("NO_SUCH_VARIABLE"), message);
    GalopConfig whole =
        ConfigLoader.load(
            Optional.empty(),
            Map.of(),
            List.of("persist.backup={redis: {login: {password: a secret}}}"),
            Map.of());
    assertTrue(!ConfigYaml.print(whole).contains("a secret"), ConfigYaml.print(whole));
  }

  @Test
  void noConfigurationShowsASecretAsText() {
    String shown =
        ConfigLoader.load(
                Optional.empty(),
                Map.of(),
                List.of(
                    "ingest.token=the-token",
                    "persist.backup={redis: {login: {password: the-password}}}",
                    "persist.cold.stores=[{mysql: {login: {user: me, password: the-password}}}]"),
                Map.of())
            .toString();
    assertTrue(shown.contains("user=me, password=***"), shown);
    assertFalse(shown.contains("the-"), shown);
  }
}
