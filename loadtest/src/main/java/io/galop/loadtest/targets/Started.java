package io.galop.loadtest.targets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that the load test has started and will stop. */
public final class Started implements AutoCloseable {
  private static final long STOP_SECONDS = 20;
  private final Target target;
  private final Process process;
  private final Runnable cleanUp;

  Started(Target target, Process process, Runnable cleanUp) {
    this.target = target;
    this.process = process;
    this.cleanUp = cleanUp;
  }

  public Target target() {
    return target;
  }

  /** Starts a JVM of the kind that this one is; its output goes to a file. */
  static Process java(List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    return run(command, log);
  }

  /** Starts a program; its output goes to a file. */
  static Process run(List<String> command, Path log) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    cleanUp.run();
  }
}
