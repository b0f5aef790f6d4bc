package io.galop.servers;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The distribution's postgres with a database and a user of its own, both named {@code galop}; each
 * commit is on disk before it is answered.
 */
public final class PostgresServer extends StoreServer {
  public static final String DATABASE = "galop";
  public static final String USER = "galop";
  public static final String PASSWORD = "a password";

  private static final String ADMINISTRATOR = "postgres";
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final int INSTALL_SECONDS = 120;

  /** After so many ids the oldest transaction would be one of the future; 3 million are kept. */
  private static final long LAST_ID_TO_GIVE = (1L << 31) - 3_000_000;

  /** Transactions whose outcome is in one file of {@code pg_xact}, with two bits each. */
  private static final long IDS_PER_FILE = 1 << 20;

  private final boolean tls;
  private Path certificate;
  private Path data;
  private boolean known;

  public PostgresServer() {
    this(false);
  }

  private PostgresServer(boolean tls) {
    this.tls = tls;
  }

  /** One that offers TLS, with a certificate for {@code localhost}, and insists on it. */
  public static PostgresServer withTls() {
    return new PostgresServer(true);
  }

  /** The file that clients of a server with TLS have to trust. */
  public Path certificate() {
    return certificate;
  }

  @Override
  void prepare(Path directory) throws IOException {
    data = directory.resolve("data");
    known = false;
    if (tls) {
      certificate = TlsFront.certify(directory, "server");
      Path key = directory.resolve("server.key");
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
      own(key);
    }
    own(directory);
    List<String> command = asItsUser();
    command.add(program("initdb").toString());
    command.addAll(List.of("--pgdata=" + data, "--username=" + ADMINISTRATOR, "--no-sync"));
    command.addAll(List.of("--encoding=UTF8", "--locale=C", "--auth=trust"));
    Child.run(command, directory.resolve("install.txt"), INSTALL_SECONDS);
    Files.writeString(
        data.resolve("pg_hba.conf"),
        "host all %s 127.0.0.1/32 trust\n%s all %s 127.0.0.1/32 scram-sha-256\n"
            .formatted(ADMINISTRATOR, tls ? "hostssl" : "host", USER));
  }

  private static void own(Path path) throws IOException {
    if (isRoot()) {
      var principals = FileSystems.getDefault().getUserPrincipalLookupService();
      Files.setOwner(path, principals.lookupPrincipalByName("postgres"));
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** It refuses to run as root; the command replaces itself, so its process is the server's. */
  private static List<String> asItsUser() {
    return new ArrayList<>(
        isRoot()
            ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
            : List.of());
  }

  /** Of the newest version; Debian has them in no directory of the path. */
  private static Path program(String name) throws IOException {
    if (!Files.isDirectory(VERSIONS)) {
      throw new IOException("postgres is missing; ./test installs it");
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin").resolve(name))
          .filter(Files::isExecutable)
          .max(Comparator.comparing(path -> Integer.parseInt(path.getName(3).toString())))
          .orElseThrow(() -> new IOException(name + " is missing; ./test installs it"));
    }
  }

  @Override
  List<String> command(Path directory, int port) throws IOException {
    List<String> command = asItsUser();
    command.addAll(List.of(program("postgres").toString(), "-D", data.toString()));
    set(command, "listen_addresses=127.0.0.1");
    set(command, "port=" + port);
    set(command, "unix_socket_directories=");
    set(command, "shared_buffers=64MB");
    set(command, "max_prepared_transactions=2");
    set(command, "password_encryption=scram-sha-256");
    if (tls) {
      set(command, "ssl=on");
      set(command, "ssl_cert_file=" + certificate);
      set(command, "ssl_key_file=" + directory.resolve("server.key"));
    }
    return command;
  }

  private static void set(List<String> command, String setting) {
    command.addAll(List.of("-c", setting));
  }

  @Override
  boolean answers(long pid) throws SQLException {
    try (Connection administrator = administrator();
        Statement statement = administrator.createStatement()) {
      try (ResultSet row = statement.executeQuery("SHOW data_directory")) {
        row.next();
        if (!row.getString(1).equals(data.toString())) {
          return false;
        }
      }
      if (!known) {
        statement.execute("CREATE USER " + USER + " PASSWORD '" + PASSWORD + "'");
        statement.execute("CREATE DATABASE " + DATABASE + " OWNER " + USER);
        known = true;
      }
      return true;
    }
  }

  /** Else it would wait for its clients to go. */
  @Override
  void askToEnd(long pid) {
    Signal.send("INT", pid);
  }

  /** A connection that may do everything, to another database; to be closed. */
  public Connection administrator() throws SQLException {
    return DriverManager.getConnection(url("postgres"), ADMINISTRATOR, "");
  }

  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database + "?sslmode=prefer";
  }

  /** A connection of the caller's own to the database; to be closed. */
  public Connection client() throws SQLException {
    return DriverManager.getConnection(url(DATABASE), USER, PASSWORD);
  }

  /** Runs statements on a connection of their own. */
  public void execute(String... statements) {
    try (Connection client = client();
        Statement statement = client.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The same as an administrator of the server. */
  public void administer(String... statements) {
    try (Connection administrator = administrator();
        Statement statement = administrator.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Brings it so near the end of its transaction ids that it takes no writes: its own tool sets the
   * counter forward. A prepared transaction of the caller's has to be there: else the server would
   * vacuum its databases and be well again.
   */
  public void useUpTransactionIds() throws IOException, SQLException {
    long last = number("SELECT min(datfrozenxid::text::bigint) FROM pg_database") + LAST_ID_TO_GIVE;
    stop();
    List<String> command = asItsUser();
    command.addAll(List.of(program("pg_resetwal").toString(), "-x", "" + last, "--pgdata=" + data));
    Child.run(command, data.resolve("../reset.txt"), INSTALL_SECONDS);
    Path states = data.resolve("pg_xact/%04X".formatted(last / IDS_PER_FILE));
    Files.write(states, new byte[(int) (IDS_PER_FILE / 4)]);
    own(states);
    startAgain();
  }

  private long number(String sql) throws SQLException {
    try (Connection administrator = administrator();
        Statement statement = administrator.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Drops the database with all its tables and connections, and makes it anew. */
  @Override
  public void empty() {
    administer(
        "DROP DATABASE " + DATABASE + " WITH (FORCE)",
        "CREATE DATABASE " + DATABASE + " OWNER " + USER);
  }
}
