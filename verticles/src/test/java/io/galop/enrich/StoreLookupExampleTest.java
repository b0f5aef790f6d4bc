package io.galop.enrich;

import static io.galop.enrich.EnrichFixture.await;
import static io.galop.enrich.EnrichFixture.record;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.servers.MariaDbServer;
import io.galop.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The examples of look-ups in databases do what they say. */
@Timeout(180)
class StoreLookupExampleTest {
  @RegisterExtension static final MariaDbServer MARIADB = new MariaDbServer();
  @RegisterExtension static final PostgresServer POSTGRES = new PostgresServer();
  @TempDir Path directory;

  @Test
  void thatOfMysqlDoesWhatItSays() throws Exception {
    String yaml = example("mysql", MARIADB::execute, MariaDbServer.PASSWORD);
    doesWhatItSays(yaml.replace("port: 3306", "port: " + MARIADB.port()));
  }

  @Test
  void thatOfPostgresDoesWhatItSays() throws Exception {
    String yaml = example("postgres", POSTGRES::execute, PostgresServer.PASSWORD);
    doesWhatItSays(yaml.replace("port: 5432", "port: " + POSTGRES.port()));
  }

  private String example(String name, Consumer<String[]> database, String secret)
      throws IOException {
    Path example = Path.of("..", "docs", "examples", "lookup-" + name + ".yaml");
    Path password = Files.writeString(directory.resolve("p.txt"), secret + "\n");
    List<String> sql =
        Files.readAllLines(example).stream()
            .filter(line -> line.startsWith("#   CREATE") || line.startsWith("#   INSERT"))
            .map(line -> line.substring(1).strip())
            .toList();
    assertEquals(2, sql.size());
    database.accept(sql.toArray(String[]::new));
    return Files.readString(example)
        .replace(name + "-password.txt", password.toString())
        .replace("timeoutMs: 250", "timeoutMs: 9000");
  }

  private static void doesWhatItSays(String yaml) throws Exception {
    try (EnrichFixture node = new EnrichFixture(yaml)) {
      await(node.send(record("a", "race/1", "{\"runner\": 7, \"odds\": 2.5}")));
      String stored = "{\"runner\": 7, \"odds\": 2.5,\"ref\":{\"name\":\"Star\",\"weight\":57.5}}";
      assertEquals(List.of("a race/1 " + stored), node.shown());
    }
  }
}
