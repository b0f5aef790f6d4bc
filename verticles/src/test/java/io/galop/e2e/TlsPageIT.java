package io.galop.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a node with TLS in a real browser, with the keys that {@code galop} itself makes. */
@Timeout(180)
class TlsPageIT {
  @TempDir private Path directory;

  /** Chromium trusts this key and no other that it does not know. */
  private String trusted() throws Exception {
    try (InputStream in = Files.newInputStream(directory.resolve("keys/server.crt"))) {
      byte[] key =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(in)
              .getPublicKey()
              .getEncoded();
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
      return "--ignore-certificate-errors-spki-list=" + Base64.getEncoder().encodeToString(hash);
    }
  }

  private static String localhost(String scheme, String address) {
    return scheme + "://localhost" + address.substring(address.lastIndexOf(':'));
  }

  @Test
  void thePageAndItsScriptComeByTls() throws Exception {
    Path keys = directory.resolve("keys");
    Cli.ok("certificates", keys.toString());
    List<String> tls =
        List.of(
            "--set", "http.tls.certificate=" + keys.resolve("server.crt"),
            "--set", "http.tls.key=" + keys.resolve("server.key"),
            "--set", "ingest.bridge.tls.certificate=" + keys.resolve("server.crt"),
            "--set", "ingest.bridge.tls.key=" + keys.resolve("server.key"));
    List<String> sockets = new CopyOnWriteArrayList<>();
    try (GalopProcess node = GalopProcess.run(directory.resolve("data"), List.of(), tls);
        Chromium chromium = Chromium.open(trusted())) {
      Page page = chromium.page("about:blank");
      page.onWebSocket(socket -> sockets.add(socket.url()));
      String https = localhost("https", node.address("http"));
      page.navigate(https + "/");
      page.click("[data-view=sensors]");
      Cli.ok(
          "publish",
          "sensor/pump",
          "{\"value\":7}",
          "--bridge",
          localhost("tls", node.address("bridge")),
          "--ca",
          keys.resolve("ca.crt").toString());
      assertThat(page.locator("[data-topic='sensor/pump']")).isVisible();
      assertEquals(1, sockets.size(), sockets::toString);
      assertTrue(sockets.get(0).startsWith(https.replace("https", "wss")), sockets::toString);
      chromium.assertNoComplaints();
      assertTrue(node.text().contains("page https://127.0.0.1:"), node.text());
    }
  }
}
