package io.galop.loadtest.state;

import io.galop.loadtest.LoadTest;
import io.galop.loadtest.inject.Doors;
import io.galop.loadtest.site.Child;
import io.galop.loadtest.site.Site;
import io.galop.loadtest.targets.Launch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server that only keeps state, in a process of its own. */
public final class StateSite {
  private StateSite() {}

  /** Starts it. */
  public static Site start(Discipline discipline, List<String> jvmFlags)
      throws IOException, InterruptedException {
    Path dir = Files.createTempDirectory("galop-loadtest");
    int port = Launch.freePorts(1)[0];
    List<String> command = new ArrayList<>(List.of(Launch.java().toString()));
    command.addAll(jvmFlags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LoadTest.class.getName(), "state-server", "" + port, "" + discipline));
    Child child = Child.start(command, dir.resolve("log"));
    child.awaitListening(port, false, dir.resolve("log"));
    InetSocketAddress address = Launch.loopback(port);
    return new Site(
        new Doors(address, address, address, address),
        List.of(),
        List.of(),
        List.of(child.process().pid()),
        List.of(),
        List.of(() -> Launch.delete(dir), child));
  }
}
