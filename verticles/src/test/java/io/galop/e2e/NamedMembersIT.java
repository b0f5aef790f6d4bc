package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.servers.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes find each other by a name whose addresses come and go, as a headless service's. */
@Timeout(300)
class NamedMembersIT {
  /** Nobody listens there. */
  private static final String DEAD = "127.0.0.9 galop-members\n";

  private static final String LIVE = "127.0.0.1 galop-members\n";

  @TempDir Path directory;
  private final String cluster = "test-" + System.nanoTime();
  private final int first = Ports.free();
  private final int second = Ports.free();

  private Path hosts(String node) {
    return directory.resolve(node + ".hosts");
  }

  /** As a whole: a half would be read as no address. */
  private void publish(String node, String lines) throws IOException {
    Path written = Files.writeString(directory.resolve("new"), "127.0.0.1 localhost\n" + lines);
    Files.move(written, hosts(node), StandardCopyOption.ATOMIC_MOVE);
  }

  private GalopProcess start(String name, String roles, int port, String members) {
    List<String> args = new ArrayList<>(List.of("run", "--roles", roles));
    for (String set :
        List.of(
            "node.name=" + name,
            "node.dataDir=" + directory.resolve(name),
            "cluster.members=[" + members + "]",
            "cluster.name=" + cluster,
            "cluster.port=" + port,
            "cluster.busPort=0",
            "http.port=0",
            "management.port=0",
            "ingest.tcp.port=0",
            "ingest.mqtt.port=0",
            "ingest.bridge.port=0")) {
      args.addAll(List.of("--set", set));
    }
    return GalopProcess.start(List.of("-Djdk.net.hosts.file=" + hosts(name)), args);
  }

  @Test
  void aNodeWaitsForTheNameAndFindsTheOthersWhenItHasTheirAddresses() throws Exception {
    publish("storing", "");
    publish("front", DEAD);
    // It cannot find the one in front: that one has to look again.
    String itself = "galop-members:" + first;
    String both = itself + ", galop-members:" + second;
    try (GalopProcess front = start("front", "broadcast", second, both)) {
      Await.until("front is up", 120, () -> front.text().contains("galop front [broadcast] ready"));
      assertEquals(Set.of("front"), Nodes.members(front), "only the name's addresses count");
      findEachOther(front, itself);
    }
  }

  private void findEachOther(GalopProcess front, String itself) throws Exception {
    try (GalopProcess storing = start("storing", "ingest,enrich,persist", first, itself)) {
      Await.until("it is told", 60, () -> storing.text().contains("galop-members has no address"));
      publish("storing", DEAD + LIVE);
      Await.until("it is up", 120, () -> storing.text().contains("persist] ready"));
      assertEquals(Set.of("storing"), Nodes.members(storing));
      publish("front", DEAD + LIVE);
      Set<String> all = Set.of("storing", "front");
      Await.until("each sees the other", 120, () -> Nodes.members(front).equals(all));
      Nodes.awaitReady(storing);
      Nodes.awaitReady(front);
    }
  }
}
