package io.galop.loadtest.targets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts servers under test on free ports of the loopback interface. */
public final class Starter {
  private static final long START_SECONDS = 60;
  private static final long LOOK_EVERY_MS = 50;

  private Starter() {}

  /**
   * Starts a Galop node with all roles.
   *
   * @param jar galop.jar
   * @param javaOptions for its JVM
   */
  public static Started galop(Path jar, List<String> javaOptions)
      throws IOException, InterruptedException {
    Path dir = Files.createTempDirectory("galop-loadtest");
    int http = Started.freePort();
    int tcp = Started.freePort();
    int management = Started.freePort();
    List<String> arguments = new ArrayList<>(javaOptions);
    arguments.addAll(List.of("-jar", jar.toAbsolutePath().toString(), "run"));
    for (String set :
        List.of(
            "node.dataDir=" + dir.resolve("data"),
            "http.port=" + http,
            "management.port=" + management,
            "ingest.tcp.port=" + tcp,
            "ingest.mqtt.enabled=false",
            "ingest.bridge.enabled=false")) {
      arguments.addAll(List.of("--set", set));
    }
    Path log = dir.resolve("log");
    Process process = Started.java(arguments, log);
    Target target =
        new Target(
            "galop",
            Started.loopback(http),
            Started.loopback(tcp),
            OptionalLong.of(process.pid()),
            true);
    Started started = new Started(target, process, () -> delete(dir));
    awaitOk(process, URI.create("http://127.0.0.1:" + management + "/health/ready"), log);
    return started;
  }

  /** Starts the stock Vert.x bridge out of this jar. */
  public static Started stockBridge(List<String> javaOptions)
      throws IOException, InterruptedException {
    Path dir = Files.createTempDirectory("galop-loadtest");
    int http = Started.freePort();
    int tcp = Started.freePort();
    List<String> arguments = new ArrayList<>(javaOptions);
    arguments.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "io.galop.loadtest.LoadTest",
            "stock-bridge",
            "--http-port=" + http,
            "--tcp-port=" + tcp));
    Path log = dir.resolve("log");
    Process process = Started.java(arguments, log);
    Target target =
        new Target(
            "vertx bridge",
            Started.loopback(http),
            Started.loopback(tcp),
            OptionalLong.of(process.pid()),
            false);
    Started started = new Started(target, process, () -> delete(dir));
    awaitOk(process, URI.create("http://127.0.0.1:" + http + "/ready"), log);
    return started;
  }

  /**
   * Starts a bare epoll loop, compiled on the spot.
   *
   * @param source fanout.c
   * @throws IOException if there is no C compiler
   */
  public static Started epollLoop(InputStream source) throws IOException, InterruptedException {
    Path dir = Files.createTempDirectory("galop-loadtest");
    Path log = dir.resolve("log");
    Path file = dir.resolve("fanout.c");
    Path program = dir.resolve("fanout");
    Files.copy(source, file);
    Process compiler =
        Started.run(List.of("cc", "-O2", "-o", program.toString(), file.toString()), log);
    if (compiler.waitFor() != 0) {
      throw new IOException("the C compiler failed:\n" + Files.readString(log));
    }
    int http = Started.freePort();
    int tcp = Started.freePort();
    Process process = Started.run(List.of(program.toString(), "" + http, "" + tcp), log);
    Target target =
        new Target(
            "epoll loop in C",
            Started.loopback(http),
            Started.loopback(tcp),
            OptionalLong.of(process.pid()),
            true);
    Started started = new Started(target, process, () -> delete(dir));
    awaitOk(process, URI.create("http://127.0.0.1:" + http + "/ready"), log);
    return started;
  }

  private static void awaitOk(Process process, URI ready, Path log)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!isOk(ready)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly().waitFor();
        throw new IOException("a server did not start:\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private static boolean isOk(URI uri) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }

  private static void delete(Path dir) {
    try (Stream<Path> files = Files.walk(dir)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server that runs already. */
  public static Target running(InetSocketAddress http, InetSocketAddress tcp, OptionalLong pid) {
    return new Target("galop", http, tcp, pid, true);
  }
}
