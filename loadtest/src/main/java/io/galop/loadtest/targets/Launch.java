package io.galop.loadtest.targets;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Starts programs on free ports of the loopback interface. */
public final class Launch {
  private static final long START_SECONDS = 300;
  private static final long LOOK_EVERY_MS = 50;
  private static final int FIRST_PORT = 16_000;
  private static final int LAST_PORT = 32_000;
  private static final int MOST_TRIES = 10_000;
  private static final int LOOK_TIMEOUT_MS = 5_000;

  private Launch() {}

  /**
   * A command of the load test itself in a process of its own: what to start, with these options of
   * the JVM. By name, since its class knows all commands and with them all that call this.
   */
  public static List<String> ownCommand(
      List<String> jvmFlags, String command, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of(java().toString()));
    all.addAll(jvmFlags);
    all.addAll(List.of("-cp", System.getProperty("java.class.path")));
    all.addAll(List.of("io.galop.loadtest.LoadTest", command));
    all.addAll(arguments);
    return all;
  }

  /** The JVM that runs this. */
  public static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** Starts a program, which ends with the load test; its output goes to a file. */
  public static Process run(List<String> command, Path log) throws IOException {
    return Leavings.start(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()));
  }

  /** The same, its output behind what is in the file. */
  public static Process runAppending(List<String> command, Path log) throws IOException {
    ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
    return Leavings.start(program.redirectOutput(Redirect.appendTo(log.toFile())));
  }

  /** The same, on the terminal of the load test. */
  public static Process runAttached(List<String> command) throws IOException {
    return Leavings.start(new ProcessBuilder(command).inheritIO());
  }

  /**
   * Different ports that nobody listens on, below those that the kernel gives to connections: in
   * the time until a server listens, tens of thousands of those may come and go.
   */
  public static int[] freePorts(int count) throws IOException {
    List<ServerSocket> probes = new ArrayList<>();
    try {
      for (int tries = 0; probes.size() < count; tries++) {
        int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
        try {
          probes.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
          if (tries > MOST_TRIES) {
            throw new IOException("no free ports from " + FIRST_PORT + " to " + LAST_PORT, e);
          }
        }
      }
      return probes.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket probe : probes) {
        probe.close();
      }
    }
  }

  public static InetSocketAddress loopback(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }

  /** Waits until a server answers 200; ends it and fails if it does not. */
  public static void awaitOk(Process process, int port, String path, Path log)
      throws IOException, InterruptedException {
    URI ready = URI.create("http://127.0.0.1:" + port + path);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!isOk(ready)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly().waitFor();
        throw new IOException("a server did not start:\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  /** Waits until a server takes connections; ends it and fails if it does not. */
  static void awaitListening(Process process, InetSocketAddress address, Path log)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!listens(address)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly().waitFor();
        throw new IOException("a server did not start:\n" + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private static boolean listens(InetSocketAddress address) {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isOk(URI uri) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setConnectTimeout(LOOK_TIMEOUT_MS);
      connection.setReadTimeout(LOOK_TIMEOUT_MS);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }
}
