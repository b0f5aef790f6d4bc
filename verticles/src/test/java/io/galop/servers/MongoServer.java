package io.galop.servers;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.Assumptions;

/**
 * A server that speaks MongoDB's protocol: the one at {@code GALOP_MONGO_URI} where that is set,
 * else mongo-java-server with its H2 backend, a stand-in in a process of its own. Its speed says
 * nothing about MongoDB's. A server that was there before can be used and emptied, not stopped or
 * frozen: tests that want to are aborted with that reason.
 */
public final class MongoServer extends StoreServer {
  private static final Path JARS = Path.of("target", "mongo-server");
  private static final String GIVEN = System.getenv().getOrDefault("GALOP_MONGO_URI", "");

  private final String database = "galop_" + UUID.randomUUID().toString().substring(0, 8);

  /** Whether it is the stand-in, whose figures are to be labelled so. */
  public static boolean isStandIn() {
    return GIVEN.isEmpty();
  }

  /** The database to use, another for each instance. */
  public String database() {
    return database;
  }

  /** {@code mongodb://…}. */
  public String uri() {
    String timeouts = "/?serverSelectionTimeoutMS=20000";
    return isStandIn() ? "mongodb://127.0.0.1:" + port() + timeouts : GIVEN;
  }

  /** {@code host:port}. */
  public String host() {
    return isStandIn() ? "127.0.0.1:" + port() : new ConnectionString(GIVEN).getHosts().get(0);
  }

  /** A connection of the caller's own, to look at what is stored; to be closed. */
  public MongoClient client() {
    return MongoClients.create(uri());
  }

  @Override
  List<String> command(Path directory, int port) throws IOException {
    if (!Files.isDirectory(JARS)) {
      throw new IOException(JARS.toAbsolutePath() + " is not there: mvn test-compile makes it");
    }
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-cp",
        JARS + "/*:" + Path.of("target", "test-classes"),
        MongoServerMain.class.getName(),
        Integer.toString(port),
        directory.resolve("store.mv").toString());
  }

  @Override
  boolean answers(long pid) {
    // It says so itself when it has the port: an answer on the port alone may be another's.
    if (!printed().contains("listening " + pid + "\n")) {
      return false;
    }
    try (MongoClient client = client()) {
      return client.getDatabase("admin").runCommand(new Document("ping", 1)).getDouble("ok") == 1;
    }
  }

  @Override
  public void start() {
    if (isStandIn()) {
      super.start();
    }
  }

  @Override
  public void close() {
    if (!isStandIn()) {
      empty();
    }
    super.close();
  }

  @Override
  public void stop() {
    needsStandIn();
    super.stop();
  }

  @Override
  public void kill() {
    needsStandIn();
    super.kill();
  }

  @Override
  public void freeze() {
    needsStandIn();
    super.freeze();
  }

  private static void needsStandIn() {
    Assumptions.assumeTrue(isStandIn(), "the server at GALOP_MONGO_URI is not ours to stop");
  }

  @Override
  public void empty() {
    try (MongoClient client = client()) {
      client.getDatabase(database).drop();
    }
  }
}
