package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.servers.MariaDbServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example of a look-up in MySQL does what it says. */
@Timeout(180)
class StoreLookupExampleTest {
  @RegisterExtension static final MariaDbServer MARIADB = new MariaDbServer();

  @Test
  void theExampleDoesWhatItSays(@TempDir Path directory) throws Exception {
    Path example = Path.of("..", "docs", "examples", "lookup-mysql.yaml");
    Path password = Files.writeString(directory.resolve("p.txt"), MariaDbServer.PASSWORD + "\n");
    List<String> sql =
        Files.readAllLines(example).stream()
            .filter(line -> line.startsWith("#   CREATE") || line.startsWith("#   INSERT"))
            .map(line -> line.substring(1).strip())
            .toList();
    assertEquals(2, sql.size());
    MARIADB.execute(sql.toArray(String[]::new));
    String yaml =
        Files.readString(example)
            .replace("mysql-password.txt", password.toString())
            .replace("port: 3306", "port: " + MARIADB.port())
            .replace("timeoutMs: 250", "timeoutMs: 9000");
    try (EnrichFixture node = new EnrichFixture(yaml)) {
      await(node.send(record("a", "race/1", "{\"runner\": 7, \"odds\": 2.5}")));
      String stored = "{\"runner\": 7, \"odds\": 2.5,\"ref\":{\"name\":\"Star\",\"weight\":57.5}}";
      assertEquals(List.of("a race/1 " + stored), node.shown());
    }
  }
}
