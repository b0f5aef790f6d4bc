package io.galop.loadtest.site;

import io.galop.loadtest.scenario.StoreWord;
import io.galop.loadtest.targets.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
    if (isRoot()) {
      UserPrincipal mysql =
          dir.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("mysql");
      Files.setOwner(dir, mysql);
    }
    command.addAll(user());
    command.addAll(List.of("--datadir=" + dir.resolve("data"), "--skip-test-db"));
    command.add("--auth-root-authentication-method=normal");
    Process process = Child.start(command, log).process();
    if (!process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("mariadb-install-db failed:\n" + Files.readString(log));
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
