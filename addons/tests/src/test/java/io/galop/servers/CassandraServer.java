package io.galop.servers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Cassandra as a process of its own. It asks for passwords, takes connections with and without
 * TLS, and syncs its commit log as rarely as it does by default: what it took just before a kill
 * may be gone.
 */
public final class CassandraServer extends StoreServer {
  public static final String USER = "galop";
  public static final String PASSWORD = "a password";
  public static final String KEYSPACE = "galop";

  /** A row that is larger is refused. */
  public static final int MOST_BYTES = 256 * 1024;

  private static final String ADMINISTRATOR = "cassandra";
  private static final String STORE_PASSWORD = "changeit";
  private static final int KEY_SECONDS = 60;
  private static final int WAIT_SECONDS = 60;
  private static final int LAST_JAVA = 17;

  /** What Java 17 has to let it do. */
  private static final List<String> EXPORTS =
      List.of("java.base/jdk.internal.misc", "java.base/java.lang.ref", "java.sql/java.sql");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang.module",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.util.jar",
          "java.base/jdk.internal.vm",
          "java.base/sun.nio.ch",
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.reflect",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "jdk.management/com.sun.management.internal");

  private int storagePort;
  private boolean hasAnswered;
  private Path directory;
  private Path certificate;
  private CqlSession administrator;

  /** The file that clients with TLS have to trust; it is for 127.0.0.1. */
  public Path certificate() {
    return certificate;
  }

  @Override
  void prepare(Path directory) throws IOException {
    this.directory = directory;
    Path keys = directory.resolve("keys.p12");
    certificate = directory.resolve("server.crt");
    keytool(directory, "-genkeypair -keyalg RSA -dname CN=galop -ext san=ip:127.0.0.1", keys);
    keytool(directory, "-exportcert -rfc -file " + certificate, keys);
  }

  private static void keytool(Path directory, String command, Path keys) throws IOException {
    List<String> all = new ArrayList<>(List.of(program("keytool")));
    all.addAll(List.of(command.split(" ")));
    all.addAll(List.of("-alias", "galop", "-keystore", keys.toString()));
    all.addAll(List.of("-storetype", "PKCS12", "-storepass", STORE_PASSWORD));
    Child.run(all, directory.resolve("keytool.txt"), KEY_SECONDS);
  }

  private static String program(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private String settings(Path directory, int port) {
    return """
    cluster_name: galop
    num_tokens: 1
    partitioner: org.apache.cassandra.dht.Murmur3Partitioner
    commitlog_sync: periodic
    commitlog_sync_period: 10000ms
    commitlog_segment_size: 4MiB
    max_mutation_size: %4$dKiB
    endpoint_snitch: SimpleSnitch
    seed_provider:
      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
        parameters:
          - seeds: "127.0.0.1:%2$d"
    listen_address: 127.0.0.1
    rpc_address: 127.0.0.1
    storage_port: %2$d
    native_transport_port: %1$d
    data_file_directories: [%3$s/data]
    commitlog_directory: %3$s/commitlog
    saved_caches_directory: %3$s/saved
    hints_directory: %3$s/hints
    cdc_raw_directory: %3$s/cdc
    auto_snapshot: false
    request_timeout: 60s
    read_request_timeout: 60s
    range_request_timeout: 60s
    write_request_timeout: 60s
    truncate_request_timeout: 60s
    authenticator: PasswordAuthenticator
    authorizer: CassandraAuthorizer
    role_manager: CassandraRoleManager
    client_encryption_options:
      enabled: true
      optional: true
      keystore: %3$s/keys.p12
      keystore_password: %5$s
      store_type: PKCS12
    """
        .formatted(port, storagePort, directory, MOST_BYTES / 1024, STORE_PASSWORD);
  }

  @Override
  List<String> command(Path directory, int port) throws IOException {
    storagePort = hasAnswered ? storagePort : Ports.free();
    Path settings = directory.resolve("cassandra.yaml");
    Files.writeString(settings, settings(directory, port));
    Path jars = Path.of(System.getProperty("galop.cassandra.jars", "target/cassandra-server"));
    List<String> command = new ArrayList<>(List.of(java()));
    EXPORTS.forEach(one -> command.addAll(List.of("--add-exports", one + "=ALL-UNNAMED")));
    OPENS.forEach(one -> command.addAll(List.of("--add-opens", one + "=ALL-UNNAMED")));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    set(command, "config=" + settings.toUri());
    set(command, "storagedir=" + directory);
    set(command, "foreground=yes");
    set(command, "superuser_setup_delay_ms=0");
    set(command, "skip_wait_for_gossip_to_settle=0");
    set(command, "ring_delay_ms=0");
    set(command, "auth_bcrypt_gensalt_log2_rounds=4");
    command.addAll(List.of("-cp", jars.toAbsolutePath() + File.separator + "*"));
    command.add("org.apache.cassandra.service.CassandraDaemon");
    return command;
  }

  /** Cassandra 5.0 starts on Java 17 and on no newer one. */
  private static String java() throws IOException {
    if (Runtime.version().feature() <= LAST_JAVA) {
      return program("java");
    }
    try (Stream<Path> installed = Files.list(Path.of("/usr/lib/jvm"))) {
      return installed
          .filter(one -> one.getFileName().toString().startsWith("java-" + LAST_JAVA + "-openjdk"))
          .map(one -> one.resolve("bin/java").toString())
          .findFirst()
          .orElseThrow(() -> new IOException("a JDK " + LAST_JAVA + " is missing in /usr/lib/jvm"));
    }
  }

  private static void set(List<String> command, String property) {
    String name = property.equals("foreground=yes") ? "cassandra-" : "cassandra.";
    command.add("-D" + name + property);
  }

  /** Its account is there once an administrator could make it. */
  @Override
  boolean answers(long pid) {
    closeAdministrator();
    administrator = connect(ADMINISTRATOR, ADMINISTRATOR);
    Row found =
        ask("SELECT value FROM system_views.settings WHERE name = 'commitlog_directory'").one();
    if (found == null || !String.valueOf(found.getString(0)).startsWith(directory.toString())) {
      return false;
    }
    administer(
        "CREATE ROLE IF NOT EXISTS %s WITH PASSWORD = '%s' AND LOGIN = true"
            .formatted(USER, PASSWORD),
        "GRANT ALL ON ALL KEYSPACES TO " + USER);
    hasAnswered = true;
    return true;
  }

  /** A session of the caller's own; to be closed. */
  public CqlSession connect(String user, String password) {
    return CqlSession.builder()
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(WAIT_SECONDS))
                .withDuration(
                    DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT,
                    Duration.ofSeconds(WAIT_SECONDS))
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .build())
        .addContactPoint(new InetSocketAddress("127.0.0.1", port()))
        .withLocalDatacenter("datacenter1")
        .withAuthCredentials(user, password)
        .build();
  }

  /** What an administrator is told. */
  public ResultSet ask(String cql) {
    return administrator.execute(
        SimpleStatement.newInstance(cql).setTimeout(Duration.ofSeconds(WAIT_SECONDS)));
  }

  /** Has an administrator do something. */
  public void administer(String... statements) {
    for (String cql : statements) {
      ask(cql);
    }
  }

  /** Empties all of Galop's tables. */
  @Override
  public void empty() {
    ask("SELECT table_name FROM system_schema.tables WHERE keyspace_name = '" + KEYSPACE + "'")
        .forEach(row -> ask("TRUNCATE " + KEYSPACE + '.' + row.getString(0)));
  }

  private void closeAdministrator() {
    if (administrator != null) {
      administrator.close();
      administrator = null;
    }
  }

  @Override
  public void close() {
    closeAdministrator();
    super.close();
  }
}
