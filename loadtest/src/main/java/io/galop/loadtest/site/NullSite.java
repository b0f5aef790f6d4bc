package io.galop.loadtest.site;

import io.galop.loadtest.LoadTest;
import io.galop.loadtest.inject.Doors;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server that only acknowledges, in a process of its own. */
public final class NullSite {
  private NullSite() {}

  /** Starts it. */
  public static Site start() throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int[] ports = Launch.freePorts(4);
    List<String> command =
        List.of(
            Launch.java().toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            LoadTest.class.getName(),
            "null-server",
            "" + ports[0],
            "" + ports[1],
            "" + ports[2],
            "" + ports[3]);
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
