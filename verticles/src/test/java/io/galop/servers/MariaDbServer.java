package io.galop.servers;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The distribution's mariadbd with a database and a user of its own, both named {@code galop}; each
 * commit is on disk before it is answered.
 */
public final class MariaDbServer extends StoreServer {
  public static final String DATABASE = "galop";
  public static final String USER = "galop";
  public static final String PASSWORD = "a password";

  private static final int INSTALL_SECONDS = 120;
  private final boolean tls;
  private Path certificate;
  private Path data;
  private boolean known;

  public MariaDbServer() {
    this(false);
  }

  private MariaDbServer(boolean tls) {
    this.tls = tls;
  }

  /** One that offers TLS, with a certificate for {@code localhost}, and insists on it. */
  public static MariaDbServer withTls() {
    return new MariaDbServer(true);
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
    }
    List<String> command = new ArrayList<>(List.of("mariadb-install-db", "--no-defaults"));
    if (isRoot()) {
      var principals = FileSystems.getDefault().getUserPrincipalLookupService();
      Files.setOwner(directory, principals.lookupPrincipalByName("mysql"));
      if (tls) {
        Files.setOwner(directory.resolve("server.key"), principals.lookupPrincipalByName("mysql"));
      }
      command.add("--user=mysql");
    }
    command.add("--datadir=" + data);
    command.add("--auth-root-authentication-method=normal");
    command.add("--skip-test-db");
    // One that starts removes what it takes for leftovers, also of another that runs beside it.
    command.add("--tmpdir=" + directory);
    Child.run(command, directory.resolve("install.txt"), INSTALL_SECONDS);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  @Override
  List<String> command(Path directory, int port) {
    List<String> command = new ArrayList<>(List.of(program(), "--no-defaults"));
    if (isRoot()) {
      command.add("--user=mysql");
    }
    command.add("--datadir=" + data);
    command.add("--tmpdir=" + directory);
    command.add("--bind-address=127.0.0.1");
    command.add("--port=" + port);
    command.add("--socket=" + directory.resolve("socket"));
    command.add("--pid-file=" + directory.resolve("pid"));
    command.add("--skip-log-bin");
    command.add("--skip-name-resolve");
    command.add("--character-set-server=utf8mb4");
    command.add("--innodb-buffer-pool-size=128M");
    if (tls) {
      command.add("--ssl-cert=" + certificate);
      command.add("--ssl-key=" + directory.resolve("server.key"));
    }
    return command;
  }

  private static String program() {
    return Files.isExecutable(Path.of("/usr/sbin/mariadbd")) ? "/usr/sbin/mariadbd" : "mariadbd";
  }

  @Override
  boolean answers(long pid) throws SQLException {
    try (Connection root = root();
        Statement statement = root.createStatement()) {
      try (ResultSet row = statement.executeQuery("SELECT @@datadir")) {
        row.next();
        if (!row.getString(1).startsWith(data.toString())) {
          return false;
        }
      }
      if (!known) {
        createDatabase(statement);
        if (tls) {
          statement.execute("ALTER USER " + USER + " REQUIRE SSL");
        }
        known = true;
      }
      return true;
    }
  }

  private static void createDatabase(Statement statement) throws SQLException {
    statement.execute("CREATE DATABASE " + DATABASE);
    statement.execute("CREATE USER " + USER + " IDENTIFIED BY '" + PASSWORD + "'");
    statement.execute("GRANT ALL ON " + DATABASE + ".* TO " + USER);
  }

  private Connection root() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + port() + "/?user=root&sslMode=disable");
  }

  /** A connection of the caller's own to the database; to be closed. */
  public Connection client() throws SQLException {
    String url = "jdbc:mariadb://127.0.0.1:" + port() + "/" + DATABASE + "?sslMode=disable";
    return DriverManager.getConnection(url, USER, PASSWORD);
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

  /** Runs statements as the server's administrator, such as {@code SET GLOBAL}. */
  public void administer(String... statements) {
    try (Connection root = root();
        Statement statement = root.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** A counter of {@code SHOW GLOBAL STATUS}, such as {@code Com_select}. */
  public long status(String name) {
    try (Connection root = root();
        Statement statement = root.createStatement();
        ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
      row.next();
      return row.getLong(2);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Drops the database with all its tables, and makes it anew. */
  @Override
  public void empty() {
    try (Connection root = root();
        Statement statement = root.createStatement()) {
      statement.execute("DROP DATABASE " + DATABASE);
      statement.execute("CREATE DATABASE " + DATABASE);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
