package io.galop.e2e;

import io.galop.servers.Ports;
import io.galop.servers.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Options of the Java machine with which a node is up sooner. On an idle core a start costs 5.9 s
 * of processor time, 3.4 s with the classes from an archive, and 1.9 s with the first compiler too.
 *
 * <p>The archive (AppCDS) is one like {@code ./galop} makes for users. The first process that wants
 * it makes it, others wait. The JVM compares it with the jar, and goes on without if they differ.
 */
final class QuickStart {
  private static final List<String> SMALL = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  private static final int START_SECONDS = 120;
  private static final List<String> PORTS =
      List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge");

  private static Optional<Path> archive;

  private QuickStart() {}

  /**
   * For nodes that live for seconds only: the first compiler, the smallest collector, and the
   * archive.
   */
  static List<String> options() {
    List<String> options = new ArrayList<>(SMALL);
    options.addAll(archive());
    return options;
  }

  /** For all nodes: the classes from the archive; nothing where none could be made. */
  static synchronized List<String> archive() {
    if (archive == null) {
      archive = find(GalopProcess.jar("galop.jar").toAbsolutePath());
    }
    return archive.map(QuickStart::from).orElse(List.of());
  }

  private static List<String> from(Path file) {
    // Where it does not fit, nodes start without it and say nothing.
    return List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
  }

  private static Optional<Path> find(Path jar) {
    String runtime = System.getProperty("java.vm.version").replaceAll("[^A-Za-z0-9.]", "-");
    Path file = jar.resolveSibling("tests-" + runtime + ".jsa");
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      if (!Files.exists(file) || isOlder(file, jar)) {
        make(jar, file);
      }
      return Optional.of(file).filter(Files::exists);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOlder(Path file, Path jar) throws IOException {
    return Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(jar)) < 0;
  }

  /** The node is a cluster of one: most nodes of the tests have what belongs to a cluster. */
  private static void make(Path jar, Path file) throws IOException, InterruptedException {
    Path directory = Scratch.directory("node-archive");
    Path made = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(made);
    Path log = directory.resolve("log");
    int port = Ports.free();
    List<String> command =
        new ArrayList<>(
            List.of(
                GalopProcess.java(),
                "-Xmx256m",
                "-XX:ArchiveClassesAtExit=" + made,
                "-jar",
                jar.toString()));
    command.addAll(List.of("demo", "--set", "node.dataDir=" + directory.resolve("data")));
    PORTS.forEach(name -> command.addAll(List.of("--set", name + ".port=0")));
    command.addAll(List.of("--set", "cluster.members=[127.0.0.1:" + port + "]"));
    command.addAll(List.of("--set", "cluster.port=" + port, "--set", "cluster.busPort=0"));
    command.addAll(List.of("--set", "cluster.name=archive-" + port));
    Process node =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Scratch.isUsedBy(node);
    Await.until("ready, for the archive", START_SECONDS, () -> isReadyOrEnded(node, log));
    node.destroy();
    if (!node.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
      node.destroyForcibly().waitFor();
    }
    if (Files.exists(made)) {
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    } else {
      System.out.println("nodes start without an archive of classes:\n" + Files.readString(log));
    }
    Scratch.delete(directory);
  }

  private static boolean isReadyOrEnded(Process node, Path log) throws IOException {
    return !node.isAlive() || Files.readString(log).lines().anyMatch(QuickStart::saysReady);
  }

  private static boolean saysReady(String line) {
    return line.startsWith("galop ") && line.endsWith(" ready");
  }
}
