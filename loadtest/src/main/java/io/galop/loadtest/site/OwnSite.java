package io.galop.loadtest.site;

import io.galop.loadtest.inject.Doors;
import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server of the load test's own with one port, in a process of its own. */
public final class OwnSite {
  private OwnSite() {}

  /**
   * Starts it and waits until it listens.
   *
   * @param command of the load test
   * @param arguments of that, after the port
   */
  public static Site start(List<String> jvmFlags, String command, String... arguments)
      throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    int port = Launch.freePorts(1)[0];
    List<String> words = new ArrayList<>(List.of("" + port));
    words.addAll(List.of(arguments));
    Child child = Child.start(Launch.ownCommand(jvmFlags, command, words), dir.resolve("log"));
    child.awaitListening(port, false, dir.resolve("log"));
    InetSocketAddress address = Launch.loopback(port);
    return new Site(
        new Doors(address, address, address, address),
        List.of(),
        List.of(),
        List.of(child.process().pid()),
        List.of(),
        List.of(() -> Leavings.delete(dir), child));
  }
}
