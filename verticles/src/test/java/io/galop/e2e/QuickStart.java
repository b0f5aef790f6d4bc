package io.galop.e2e;

import io.galop.servers.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of the Java machine for nodes that live for seconds only: the first compiler, the
 * smallest collector, and the classes as a node of the same jar had them loaded. Such a node needs
 * less than half the processor time until it is up.
 */
final class QuickStart {
  private static final List<String> SMALL = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private QuickStart() {}

  /** Starts a clustered node once, to keep its classes in a file of the directory. */
  static List<String> options(Path directory) {
    Path classes = directory.resolve("classes.jsa");
    int port = Ports.free();
    List<String> alone =
        List.of(
            "--set", "cluster.members=[127.0.0.1:" + port + "]",
            "--set", "cluster.port=" + port,
            "--set", "cluster.name=quick-" + port,
            "--set", "cluster.busPort=0");
    GalopProcess.run(directory.resolve("first"), with("ArchiveClassesAtExit", classes), alone)
        .close();
    List<String> options = with("SharedArchiveFile", classes);
    // Where the file could not be written, nodes start without it and say nothing.
    options.add("-Xlog:cds=off");
    options.add("-Xlog:cds+dynamic=off");
    return options;
  }

  private static List<String> with(String option, Path classes) {
    List<String> options = new ArrayList<>(SMALL);
    options.add("-XX:" + option + "=" + classes);
    return options;
  }
}
