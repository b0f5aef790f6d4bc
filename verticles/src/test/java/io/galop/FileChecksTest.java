package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.galop.config.ConfigLoader;
import io.galop.servers.Authority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code galop check} and a start find in files, variables and names. */
class FileChecksTest {
  @TempDir Path directory;

  private List<String> problems(String yaml) throws Exception {
    Path file = directory.resolve("galop.yaml");
    Files.writeString(file, yaml);
    return FileChecks.problems(ConfigLoader.load(Optional.of(file), Map.of(), List.of(), Map.of()));
  }

  private void write(String name, String text) throws Exception {
    Files.createDirectories(directory.resolve(name).getParent());
    Files.writeString(directory.resolve(name), text);
  }

  @Test
  void twoScriptsMustNotShareTheNameOfTheirDeadLetters() throws Exception {
    String script = "function enrich(record) { return record }";
    write("kmh.js", script);
    write("new/kmh.js", script);
    write("kmh.csv", "id,x\n1,2\n");
    assertEquals(
        List.of(
            "enrich.chain[3]: new/kmh.js and kmh.js would share the name 'kmh', by which they are"
                + " counted and their dead letters are found; rename one of the files"),
        problems(
            """
            enrich:
              chain:
                - script: {file: kmh.js, topics: ["a/#"]}
                - script: {file: kmh.js, topics: ["b/#"]}
                - lookup: {table: kmh.csv, field: x}
                - script: {file: new/kmh.js, topics: ["c/#"]}
            """));
  }

  @Test
  void passwordsMustBeWhereTheConfigurationSays() throws Exception {
    assertEquals(
        List.of(
            "persist.backup.login: the password file /nowhere/secret cannot be read",
            "persist.cold.stores[0].login: the environment variable GALOP_TEST_IS_NOT_SET is not"
                + " set",
            "persist.cold.stores[1].login: the password file /nowhere/postgres cannot be read",
            "enrich.chain[0].source.login: the environment variable GALOP_TEST_NOR_THIS is not"
                + " set",
            "enrich.chain[1].source.login: the password file /nowhere/rows cannot be read"),
        problems(
            """
            persist:
              backup:
                redis: {login: {passwordFile: /nowhere/secret}}
              cold:
                stores:
                  - mysql: {login: {user: galop, passwordVariable: GALOP_TEST_IS_NOT_SET}}
                  - postgres: {login: {user: galop, passwordFile: /nowhere/postgres}}
            enrich:
              chain:
                - lookup:
                    table: t
                    field: x
                    source:
                      mysql: {login: {user: g, passwordVariable: GALOP_TEST_NOR_THIS}}
                - lookup:
                    table: t
                    field: x
                    source:
                      postgres: {login: {user: g, passwordFile: /nowhere/rows}}
            """));
  }

  @Test
  void aVerticleIsGivenTheSettingsThatItNames() throws Exception {
    write("own.js", "// settings: filter, limit?\ngalop.log.info(galop.settings.filter)\n");
    assertEquals(
        List.of(
            "verticles[0].settings: verticles/wave.js says that it needs everyMs, high too",
            "verticles[1].settings: own.js says that it needs filter too"),
        problems(
            """
            verticles:
              - name: js:verticles/wave.js
                settings: {topic: wave/1}
              - name: js:own.js
              - name: js:own.js
                settings: {filter: "a/#"}
            """));
  }

  private String secretProblem(String file) throws Exception {
    String path = directory.resolve(file).toString();
    List<String> found =
        problems("cluster: {members: ['127.0.0.1:5701'], secretFile: '" + path + "'}");
    assertEquals(1, found.size(), file + ": " + found);
    String prefix = "cluster.secretFile: must name a file with a secret: '" + path + "': ";
    assertTrue(found.get(0).startsWith(prefix), found.get(0));
    return found.get(0).substring(prefix.length());
  }

  @Test
  void theSecretOfTheClusterMustBeReadable() throws Exception {
    assertEquals("it cannot be read", secretProblem("missing"));
    Files.createDirectories(directory.resolve("a-directory"));
    assertEquals("it cannot be read", secretProblem("a-directory"));
    write("empty", "");
    assertEquals("its first line is empty", secretProblem("empty"));
    write("blank", " \nsecret\n");
    assertEquals("its first line is empty", secretProblem("blank"));
    Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 1});
    assertEquals("its first line is not UTF-8", secretProblem("binary"));
    write("long", "x".repeat(5_000));
    assertEquals("its first line is longer than 4096 bytes", secretProblem("long"));
    write("good", "s3cret\nsomething else\n");
    String good = directory.resolve("good").toString();
    assertEquals(
        List.of(), problems("cluster: {members: ['127.0.0.1:5701'], secretFile: '" + good + "'}"));
    assertEquals(List.of(), problems("cluster: {secretFile: /nowhere/secret}"), "a single node");
  }

  @Test
  void theCertificatesOfTheClusterMustBeUsable() throws Exception {
    Authority authority = Authority.make(directory.resolve("authority"));
    String yaml =
        "cluster: {members: ['127.0.0.1:5701'], tls: {certificateFile: '%s', keyFile: '%s', caFile:"
            + " '%s'}}";
    Path home = authority.home();
    Path certificate = home.resolve("node.crt");
    Path key = home.resolve("node.key");
    Path ca = home.resolve("ca.crt");
    assertEquals(List.of(), problems(yaml.formatted(certificate, key, ca)));
    assertEquals(
        List.of("cluster.tls.caFile: must name a file that can be read: '/nowhere/ca'"),
        problems(yaml.formatted(certificate, key, "/nowhere/ca")));
    List<String> swapped = problems(yaml.formatted(key, certificate, ca));
    assertEquals(1, swapped.size());
    assertTrue(swapped.get(0).startsWith("cluster.tls: must name"), swapped.get(0));
    Path other = Authority.make(directory.resolve("other")).home().resolve("node.key");
    assertEquals(
        List.of(
            "cluster.tls.keyFile: '%s' is not the key of the certificate in '%s'"
                .formatted(other, certificate)),
        problems(yaml.formatted(certificate, other, ca)));
  }

  private String keyProblem(String section, Path certificate, Path key, String more)
      throws Exception {
    String tls = "{certificate: '%s', key: '%s'%s}".formatted(certificate, key, more);
    String yaml = section.formatted("{tls: " + tls + "}");
    List<String> found = problems(yaml);
    assertTrue(found.size() < 2, found::toString);
    return String.join("", found);
  }

  @Test
  void theKeysOfAListenerMustBeUsable() throws Exception {
    TrialAuthority ca = TrialAuthority.in(directory.resolve("keys"));
    List<String> local = List.of("localhost");
    ca.sign(new Wanted("good", "good", local, 0, 5));
    ca.sign(new Wanted("other", "other", local, 0, 5));
    ca.sign(new Wanted("old", "old", local, -10, 5));
    ca.sign(new Wanted("early", "early", local, 5, 5));
    Path good = ca.file("good.crt");
    Path key = ca.file("good.key");
    String http = "http: %s";
    assertEquals("", keyProblem(http, good, key, ""));
    assertEquals(
        "http.tls.certificate: '/nowhere/x': there is no such file",
        keyProblem(http, Path.of("/nowhere/x"), key, ""));
    assertEquals(
        "ingest.tcp.tls.key: '%s': it is not the key of the certificate in '%s'"
            .formatted(ca.file("other.key"), good),
        keyProblem("ingest: {tcp: %s}", good, ca.file("other.key"), ""));
    assertStarts(
        "management.tls.certificate: '%s': the certificate of CN=old expired on "
            .formatted(ca.file("old.crt")),
        keyProblem("management: %s", ca.file("old.crt"), ca.file("old.key"), ""));
    assertStarts(
        "ingest.bridge.tls.certificate: '%s': the certificate of CN=early is valid from "
            .formatted(ca.file("early.crt")),
        keyProblem("ingest: {bridge: %s}", ca.file("early.crt"), ca.file("early.key"), ""));
    assertStarts(
        "ingest.mqtt.tls.key: '%s': it holds no private key as PEM".formatted(good),
        keyProblem("ingest: {mqtt: %s}", good, good, ""));
    assertStarts(
        "http.tls.certificate: '%s': it holds no certificate as PEM".formatted(key),
        keyProblem(http, key, key, ""));
    assertEquals(
        List.of(),
        problems(
            "{node: {roles: [broadcast]}, cluster: {members: ['127.0.0.1:5701']},"
                + " ingest: {tcp: {tls: {certificate: /nowhere, key: /nowhere}}}}"),
        "not opened");
  }

  @Test
  void theKindOfAListenersKeyIsNamed() throws Exception {
    String make = "; 'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256' makes one";
    String kinds = "RSA or EC (P-256, P-384, P-521)";
    Map<String, String> others =
        Map.of(
            "ed25519", "Ed25519",
            "ec -pkeyopt ec_paramgen_curve:secp256k1", "EC on another curve");
    for (Map.Entry<String, String> other : others.entrySet()) {
      Authority.openssl(
          directory,
          "req -x509 -nodes -days 2 -subj /CN=node -out other.crt -keyout other.key -newkey "
              + other.getKey());
      Path certificate = directory.resolve("other.crt");
      assertEquals(
          "http.tls.certificate: '%s': its key is of the kind %s; it must be %s%s"
              .formatted(certificate, other.getValue(), kinds, make),
          keyProblem("http: %s", certificate, directory.resolve("other.key"), ""));
    }
    Authority.openssl(directory, "genpkey -algorithm ed25519 -out other.key");
    TrialAuthority ca = TrialAuthority.in(directory.resolve("keys"));
    String problem = keyProblem("http: %s", ca.file("ca.crt"), directory.resolve("other.key"), "");
    assertTrue(problem.contains("it holds no private key as PEM (PKCS #8, not encr"), problem);
    assertTrue(problem.contains(" of the kinds " + kinds), problem);
  }

  private static void assertStarts(String beginning, String problem) {
    assertTrue(problem.startsWith(beginning), problem);
  }

  @Test
  void theHashesOfOperatorsMustBeReadable() throws Exception {
    write("token", "anna's token\n");
    write("hash", "ab".repeat(32) + "\n");
    String operators = "management: {operators: [";
    for (String file : List.of("missing", "token", "hash")) {
      operators +=
          "{name: %s, role: viewer, tokenHashFile: '%s'}, "
              .formatted(file, directory.resolve(file));
    }
    String problem =
        "management.operators[%d].tokenHashFile: must name a file with a token's SHA-256: '%s': %s";
    assertEquals(
        List.of(
            problem.formatted(0, directory.resolve("missing"), "it cannot be read"),
            problem.formatted(
                1, directory.resolve("token"), "its first line is not 64 hexadecimal digits")),
        problems(operators + "]}"));
  }

  @Test
  void theTokenOfPublishersMustBeReadable() throws Exception {
    String problem =
        "ingest.tokenFile must name a file with a token: '/nowhere/token': it cannot be read";
    assertEquals(List.of(problem), problems("ingest: {tokenFile: /nowhere/token}"));
    assertEquals(
        List.of(),
        problems(
            "{node: {roles: [broadcast]}, cluster: {members: ['127.0.0.1:5701']},"
                + " ingest: {tokenFile: /nowhere/token}}"));
  }
}
