package io.galop.loadtest.queries;

import io.galop.loadtest.site.MongoStandIn;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the servers that answers may come from. */
final class QueryStores {
  private static final String PASSWORD = "galop";

  private QueryStores() {}

  static StoreProcess redis() throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int port = Launch.freePorts(1)[0];
    return new StoreProcess(
        List.of(
            "redis-server",
            "--bind",
            "127.0.0.1",
            "--port",
            "" + port,
            "--save",
            "",
            "--dir",
            "" + dir),
        dir,
        port);
  }

  static List<String> redisSettings(StoreProcess redis) {
    return List.of(
        "persist.cold.enabled=false", "persist.backup={redis: {port: %d}}".formatted(redis.port()));
  }

  /** With a database and a user of Galop's own. */
  static StoreProcess mariaDb() throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    Path data = dir.resolve("data");
    List<String> asUser = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      var users = FileSystems.getDefault().getUserPrincipalLookupService();
      Files.setOwner(dir, users.lookupPrincipalByName("mysql"));
      asUser.add("--user=mysql");
    }
    List<String> install = new ArrayList<>(List.of("mariadb-install-db", "--no-defaults"));
    install.addAll(asUser);
    install.addAll(List.of("--datadir=" + data, "--auth-root-authentication-method=normal"));
    run(install, dir);
    Path init = dir.resolve("init.sql");
    Files.writeString(
        init,
        """
        CREATE DATABASE IF NOT EXISTS galop;
        CREATE USER IF NOT EXISTS galop IDENTIFIED BY '%1$s';
        GRANT ALL ON galop.* TO galop;
        CREATE USER IF NOT EXISTS galop@localhost IDENTIFIED BY '%1$s';
        GRANT ALL ON galop.* TO galop@localhost;
        """
            .formatted(PASSWORD),
        StandardCharsets.US_ASCII);
    int port = Launch.freePorts(1)[0];
    List<String> server = new ArrayList<>(List.of("/usr/sbin/mariadbd", "--no-defaults"));
    server.addAll(asUser);
    server.addAll(List.of("--datadir=" + data, "--bind-address=127.0.0.1", "--port=" + port));
    server.addAll(List.of("--socket=" + dir.resolve("socket"), "--init-file=" + init));
    server.addAll(List.of("--skip-log-bin", "--skip-name-resolve"));
    server.add("--character-set-server=utf8mb4");
    return new StoreProcess(server, dir, port);
  }

  private static void run(List<String> command, Path dir) throws IOException, InterruptedException {
    Path log = dir.resolve("install.log");
    if (Launch.run(command, log).waitFor() != 0) {
      throw new IOException(command.get(0) + " failed:\n" + Files.readString(log));
    }
  }

  static List<String> mariaDbSettings(StoreProcess mariaDb) {
    return List.of(
        "persist.cold.enabled=false",
        "persist.cold.stores=[{mysql: {port: %d, sampling: {every: 1}, login: {user: galop, password: %s}}}]"
            .formatted(mariaDb.port(), PASSWORD));
  }

  /** A server that speaks MongoDB's protocol. */
  static StoreProcess mongoStandIn() throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int port = Launch.freePorts(1)[0];
    return new StoreProcess(
        List.of(
            Launch.java().toString(),
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            MongoStandIn.class.getName(),
            "" + port,
            dir.resolve("store.mv").toString()),
        dir,
        port);
  }

  static List<String> mongoSettings(String host, String database) {
    return List.of(
        "persist.cold.enabled=false",
        "persist.cold.stores=[{mongodb: {sampling: {every: 1}, hosts: ['%s'], database: %s}}]"
            .formatted(host, database));
  }
}
