package io.galop.cli.certificates;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code galop certificates}, and what openssl makes of the files. */
@Tag("slow")
class CertificatesCommandTest {
  @TempDir Path home;
  private final TestConsole console = new TestConsole();

  private int run(String... args) {
    return console.runWith(
        terminal -> new Object[] {new CertificatesCommand(terminal)},
        Stream.concat(Stream.of("certificates"), Stream.of(args)).toArray(String[]::new));
  }

  private String openssl(String arguments) throws Exception {
    Process process =
        new ProcessBuilder(("openssl " + arguments).split(" "))
            .directory(home.toFile())
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void opensslTakesWhatItMakes() throws Exception {
    Path keys = home.resolve("keys");
    assertEquals(
        0, run(keys.toString(), "--host", "feed.example", "--host", "10.0.0.7", "--days", "30"));
    assertEquals(3, console.outLines().size(), console.out());
    assertEquals(
        "keys/server.crt: OK\n",
        openssl("verify -CAfile keys/ca.crt -purpose sslserver keys/server.crt"));
    assertEquals(
        "keys/client.crt: OK\n",
        openssl("verify -CAfile keys/ca.crt -purpose sslclient keys/client.crt"));
    assertFalse(
        openssl("verify -CAfile keys/ca.crt -purpose sslserver keys/client.crt").endsWith("OK\n"));
    String server = openssl("x509 -noout -ext subjectAltName -in keys/server.crt");
    for (String name :
        "DNS:feed.example;IP Address:10.0.0.7;DNS:localhost;IP Address:127.0.0.1".split(";")) {
      assertTrue(server.contains(name), server);
    }
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(keys.resolve("server.key"))));
    try (Stream<Path> files = Files.list(keys)) {
      assertEquals(6, files.count());
    }
  }

  @Test
  void anotherCallRenewsWithTheSameAuthority() throws Exception {
    String keys = home.resolve("keys").toString();
    assertEquals(0, run(keys));
    byte[] ca = Files.readAllBytes(home.resolve("keys/ca.crt"));
    String before = Files.readString(home.resolve("keys/server.crt"));
    assertEquals(0, run(keys, "--client", "pump 7".replace(' ', '-')));
    assertArrayEquals(ca, Files.readAllBytes(home.resolve("keys/ca.crt")));
    assertFalse(before.equals(Files.readString(home.resolve("keys/server.crt"))));
    assertEquals("keys/server.crt: OK\n", openssl("verify -CAfile keys/ca.crt keys/server.crt"));
    assertTrue(openssl("x509 -noout -subject -in keys/client.crt").contains("pump-7"));
  }

  @Test
  void wrongWordsAreRefused() throws Exception {
    assertEquals(2, run(home.toString(), "--host", "a b"));
    assertEquals(2, run(home.toString(), "--days", "0"));
    Path file = Files.writeString(home.resolve("file"), "");
    assertEquals(2, run(file.toString()));
    assertTrue(console.err().contains("'a b' is no name"), console.err());
  }
}
