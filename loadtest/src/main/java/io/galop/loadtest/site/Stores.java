package io.galop.loadtest.site;

import io.galop.loadtest.scenario.StoreWord;
import io.galop.loadtest.targets.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts real stores on a port and in a directory of their own. */
public final class Stores {
  private static final long INSTALL_SECONDS = 120;
  private static final String ROOT = "root";
  private static final String LOOPBACK = "127.0.0.1";

  private Stores() {}

  /**
   * Starts one.
   *
   * @param dir that exists and is empty
   */
  static Child start(StoreWord store, Path dir, int port) throws IOException, InterruptedException {
    return start(store, dir, port, LOOPBACK);
  }

  /**
   * Starts one, or starts it again.
   *
   * @param dir that exists, and is empty the first time
   * @param host the address that it listens on: loopback or all
   */
  public static Child start(StoreWord store, Path dir, int port, String host)
      throws IOException, InterruptedException {
    return switch (store) {
      case REDIS -> redis(dir, port, host);
      case MARIADB -> mariaDb(dir, port, host);
      case POSTGRES -> postgres(dir, port, host);
      case MONGODB -> mongoDb(dir, port);
    };
  }

  private static Child redis(Path dir, int port, String host)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("redis-server", "--bind", host));
    command.addAll(List.of("--protected-mode", "no"));
    command.addAll(List.of("--port", "" + port, "--save", "", "--appendonly", "no"));
    command.addAll(List.of("--dir", dir.toString()));
    Child child = Child.start(command, dir.resolve("log"));
    child.awaitListening(port, false, dir.resolve("log"));
    return child;
  }

  /** With a database and a user both named galop, whose password is galop. */
  private static Child mariaDb(Path dir, int port, String host)
      throws IOException, InterruptedException {
    Path log = dir.resolve("log");
    if (!Files.exists(dir.resolve("data"))) {
      install(dir, log);
    }
    Path first = dir.resolve("first.sql");
    Files.writeString(
        first,
        "CREATE DATABASE IF NOT EXISTS galop;\n"
            + "CREATE USER IF NOT EXISTS galop IDENTIFIED BY 'galop';\n"
            + "GRANT ALL ON galop.* TO galop;\n");
    Path sbin = Path.of("/usr/sbin/mariadbd");
    String program = Files.isExecutable(sbin) ? sbin.toString() : "mariadbd";
    List<String> command = new ArrayList<>(List.of(program, "--no-defaults"));
    command.addAll(user());
    command.addAll(List.of("--datadir=" + dir.resolve("data"), "--bind-address=" + host));
    command.addAll(List.of("--port=" + port, "--socket=" + dir.resolve("socket")));
    command.addAll(List.of("--pid-file=" + dir.resolve("pid"), "--init-file=" + first));
    command.addAll(List.of("--skip-log-bin", "--skip-name-resolve"));
    command.addAll(List.of("--character-set-server=utf8mb4", "--innodb-buffer-pool-size=256M"));
    Child child = Child.start(command, log);
    child.awaitListening(port, true, log);
    return child;
  }

  private static void install(Path dir, Path log) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mariadb-install-db", "--no-defaults"));
    give(dir, "mysql");
    command.addAll(user());
    command.addAll(List.of("--datadir=" + dir.resolve("data"), "--skip-test-db"));
    command.add("--auth-root-authentication-method=normal");
    run(command, log);
  }

  private static void run(List<String> command, Path log) throws IOException, InterruptedException {
    Process process = Child.start(command, log).process();
    if (!process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(command + " failed:\n" + Files.readString(log));
    }
  }

  private static void give(Path dir, String user) throws IOException {
    if (isRoot()) {
      UserPrincipal owner =
          dir.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
      Files.setOwner(dir, owner);
    }
  }

  /** With a database and a user both named galop, whom it trusts on loopback. */
  private static Child postgres(Path dir, int port, String host)
      throws IOException, InterruptedException {
    Path log = dir.resolve("log");
    Path data = dir.resolve("data");
    String server = postgresProgram("postgres").toString();
    if (!Files.exists(data)) {
      give(dir, "postgres");
      List<String> install = asPostgres();
      install.addAll(List.of(postgresProgram("initdb").toString(), "--pgdata=" + data));
      install.addAll(List.of("--username=galop", "--auth=trust", "--encoding=UTF8", "--locale=C"));
      run(install, log);
      String create = "echo 'CREATE DATABASE galop' | '%s' --single -D '%s' postgres";
      List<String> database = asPostgres();
      database.addAll(List.of("sh", "-c", create.formatted(server, data)));
      run(database, log);
    }
    List<String> command = asPostgres();
    command.addAll(List.of(server, "-D", data.toString(), "-c", "listen_addresses=" + host));
    command.addAll(List.of("-c", "port=" + port, "-c", "unix_socket_directories="));
    command.addAll(List.of("-c", "shared_buffers=256MB"));
    Child child = Child.start(command, log);
    child.awaitListening(port, false, log);
    return child;
  }

  /** It refuses to run as root; the command replaces itself. */
  private static List<String> asPostgres() {
    return new ArrayList<>(
        isRoot()
            ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
            : List.of());
  }

  /** Of the newest version; Debian has them in no directory of the path. */
  private static Path postgresProgram(String name) throws IOException {
    Path versions = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(versions)) {
      return Path.of(name);
    }
    try (Stream<Path> all = Files.list(versions)) {
      return all.map(version -> version.resolve("bin").resolve(name))
          .filter(Files::isExecutable)
          .max(Comparator.comparing(path -> Integer.parseInt(path.getName(3).toString())))
          .orElse(Path.of(name));
    }
  }

  /** The server refuses to run as root. */
  private static List<String> user() {
    return isRoot() ? List.of("--user=mysql") : List.of();
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals(ROOT);
  }

  /** MongoDB's own server where there is one, else the stand-in, whose speed says little. */
  private static Child mongoDb(Path dir, int port) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (hasMongod()) {
      command.addAll(List.of("mongod", "--bind_ip", "127.0.0.1", "--port", "" + port));
      command.addAll(List.of("--dbpath", dir.toString()));
    } else {
      command.addAll(List.of(Launch.java().toString(), "-Xmx512m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(MongoStandIn.class.getName(), "" + port));
      command.add(dir.resolve("store.mv").toString());
    }
    Child child = Child.start(command, dir.resolve("log"));
    child.awaitListening(port, false, dir.resolve("log"));
    return child;
  }

  /** Whether this machine has MongoDB's own server. */
  static boolean hasMongod() {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String each : path.split(":")) {
      if (Files.isExecutable(Path.of(each, "mongod"))) {
        return true;
      }
    }
    return false;
  }
}
