package io.galop.loadtest.site;

import io.galop.loadtest.inject.Doors;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A server that only acknowledges, in a process of its own. */
public final class NullSite {
  private NullSite() {}

  /** Starts it. */
  public static Site start() throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int[] ports = Launch.freePorts(4);
    List<String> command =
        Launch.ownCommand(
            List.of("-Xmx256m"),
            "null-server",
            IntStream.of(ports).mapToObj(Integer::toString).toList());
    Child child = Child.start(command, dir.resolve("log"));
    Doors doors =
        new Doors(
            Launch.loopback(ports[0]),
            Launch.loopback(ports[1]),
            Launch.loopback(ports[2]),
            Launch.loopback(ports[3]));
    child.awaitListening(ports[3], false, dir.resolve("log"));
    return new Site(
        doors,
        List.of(),
        List.of(),
        List.of(child.process().pid()),
        List.of(),
        List.of(() -> Leavings.delete(dir), child));
  }
}
