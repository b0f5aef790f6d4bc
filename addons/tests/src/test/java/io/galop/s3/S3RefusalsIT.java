package io.galop.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.PackedNode;
import io.galop.servers.Ports;
import io.galop.servers.S3Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the packed jars say of a bucket that takes nothing, before the first record comes. */
@Timeout(600)
class S3RefusalsIT {
  private static final int WAIT_SECONDS = 180;
  private static final String SECRET = "right-secret";

  @TempDir Path directory;

  private Path config(String... stores) throws Exception {
    StringBuilder text = new StringBuilder("persist:\n  cold:\n    stores:\n");
    for (String store : stores) {
      String files = "pathStyle: true, directory: " + directory.resolve("waiting");
      text.append("      - s3: {%s, %s}%n".formatted(files, store));
    }
    return Files.writeString(directory.resolve("galop.yaml"), text);
  }

  private String refused(Path config) throws Exception {
    PackedNode check = PackedNode.start(directory, "check", List.of("check", config.toString()));
    assertEquals(2, check.awaitExit(), check.text());
    return check.text();
  }

  @Test
  void namesTheAddOnThatIsMissing() throws Exception {
    PackedNode.install(directory);
    String said = refused(config("bucket: feed"));
    assertTrue(said.contains("persist.cold.stores[0].s3: the add-on s3 is not there"), said);
    assertTrue(said.contains("'./galop add s3'"), said);
  }

  @Test
  void namesFilesThatCannotBeRead() throws Exception {
    PackedNode.install(directory, "s3");
    String said =
        refused(
            config(
                "name: a, bucket: feed, endpoint: 'https://127.0.0.1:1', caFile: no.pem",
                "name: b, bucket: feed, login: {user: galop, passwordFile: no.secret}"));
    assertTrue(said.contains("persist.cold.stores[0].s3.caFile: "), said);
    assertTrue(said.contains("no.pem"), said);
    assertTrue(said.contains("the password file no.secret cannot be read"), said);
    assertFalse(said.contains("\tat "), said);
  }

  @Test
  void saysAtTheStartWhyABucketTakesNothing() throws Exception {
    PackedNode.install(directory, "s3");
    try (S3Server server = new S3Server("feed", SECRET)) {
      String at = "endpoint: '" + server.endpoint() + "'";
      String nobody = "endpoint: 'http://127.0.0.1:" + Ports.free() + "'";
      String login = "login: {user: galop, password: " + SECRET + "}";
      Path config =
          config(
              "name: bucket, bucket: no-feed, " + at + ", " + login,
              "name: secret, bucket: feed, " + at + ", login: {user: galop, password: wrong}",
              "name: key, bucket: feed, " + at + ", login: {user: nobody, password: wrong}",
              "name: away, bucket: feed, " + nobody + ", " + login,
              "name: right, bucket: feed, " + at + ", " + login);
      try (PackedNode node = PackedNode.run(directory, "node", config)) {
        awaitSaid(node, "the store bucket has", "is not there: make it");
        awaitSaid(node, "the store secret has", "refuses the secret key");
        awaitSaid(node, "the store key has", "does not know the access key");
        awaitSaid(node, "the store away has", "cannot be reached");
        await("the right one writes", () -> !server.objects("feed", ".galop", "right").isEmpty());
        assertTrue(node.publish("{\"topic\":\"a/b\",\"data\":{}}\n"), "the live path goes on");
        assertFalse(node.text().contains("software.amazon"), node.text());
        assertFalse(node.text().contains(SECRET), "no secret is told");
        assertEquals(0, node.terminate(), node.text());
      }
    }
  }

  private static void awaitSaid(PackedNode node, String store, String why) throws Exception {
    await(
        store + " " + why,
        () -> {
          String said = node.get("management", "/status");
          return said.contains(store) && said.contains(why);
        });
  }

  private static void await(String what, Callable<Boolean> holds) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!holds.call()) {
      assertTrue(System.nanoTime() - deadline < 0, "not within the time: " + what);
      Thread.sleep(100);
    }
  }
}
