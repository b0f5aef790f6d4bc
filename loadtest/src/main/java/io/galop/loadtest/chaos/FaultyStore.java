package io.galop.loadtest.chaos;

import io.galop.loadtest.scenario.StoreWord;
import io.galop.loadtest.site.Child;
import io.galop.loadtest.site.Stores;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real store that faults happen to, and that is asked in the end for all that it has. */
final class FaultyStore {
  private static final String ANYWHERE = "0.0.0.0";
  private static final int REDIS_PORT = 6379;
  private static final int MARIADB_PORT = 3306;

  private final StoreWord word;
  private final Path home;
  private final int port;
  private Child child;
  private boolean isFrozen;

  FaultyStore(StoreWord word, Path dir) throws IOException, InterruptedException {
    this.word = word;
    this.home = Files.createDirectory(dir.resolve(word.toString()));
    this.port = word == StoreWord.REDIS ? REDIS_PORT : MARIADB_PORT;
    start();
  }

  String name() {
    return word.toString();
  }

  int port() {
    return port;
  }

  void kill() throws InterruptedException {
    child.process().destroyForcibly().waitFor();
  }

  void freeze() throws IOException {
    Shell.run("kill -STOP " + child.process().pid());
    isFrozen = true;
  }

  /** Lets it go on, or starts it again. */
  void heal() throws IOException, InterruptedException {
    if (isFrozen) {
      Shell.run("kill -CONT " + child.process().pid());
      isFrozen = false;
    } else if (!child.process().isAlive()) {
      start();
    }
  }

  private void start() throws IOException, InterruptedException {
    child = Stores.start(word, home, port, ANYWHERE);
  }

  /** The key of every record. */
  List<String> keys() throws IOException {
    return word == StoreWord.REDIS ? redisKeys() : mariaDbKeys();
  }

  private List<String> redisKeys() throws IOException {
    String cli = "redis-cli -p " + port + " --raw ";
    List<String> keys = new ArrayList<>();
    for (String hash : Shell.run(cli + "KEYS galop:shard:*:records").split("\n")) {
      if (!hash.isBlank()) {
        for (String value : Shell.run(cli + "HVALS " + hash).split("\n")) {
          add(keys, value.isBlank() ? null : new JsonObject(value).getJsonObject("data"));
        }
      }
    }
    return keys;
  }

  private List<String> mariaDbKeys() throws IOException {
    List<String> command = new ArrayList<>(List.of("mariadb", "--no-defaults", "-h", "127.0.0.1"));
    command.addAll(List.of("-P", "" + port, "-u", "galop", "-pgalop", "-N", "-B", "--raw"));
    command.addAll(List.of("galop", "-e", "SELECT data FROM galop_records"));
    List<String> keys = new ArrayList<>();
    for (String data : Shell.run(command).split("\n")) {
      add(keys, data.isBlank() ? null : new JsonObject(data));
    }
    return keys;
  }

  /** Only records of publishers have a key. */
  private static void add(List<String> keys, @Nullable JsonObject data) {
    if (data != null && data.containsKey("key")) {
      keys.add(data.getString("key"));
    }
  }
}
