package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a packed node listens, looked at from outside. */
@Timeout(180)
class ListenersIT {
  /** Another address of this machine, as every Linux has. */
  private static final String OTHER = "127.0.0.3";

  private static final List<String> ALL =
      List.of("bridge", "bus", "cluster", "http", "management", "mqtt", "tcp");

  @TempDir private Path directory;

  private static List<String> settings(String... sets) {
    List<String> all = new ArrayList<>();
    for (String set : sets) {
      all.addAll(List.of("--set", set));
    }
    return all;
  }

  @Test
  void anAddressThatTheMachineHasNotIsNamedWithWhatToSet() throws Exception {
    List<String> args = new ArrayList<>(List.of("run"));
    args.addAll(settings("node.dataDir=" + directory, "management.port=0", "http.port=0"));
    args.addAll(
        settings(
            "management.host=192.0.2.1", "management.insecure=true", "management.anonymous=true"));
    Cli.Ended ended = Cli.run(args.toArray(String[]::new));
    assertEquals(1, ended.code(), ended.text());
    String sentence =
        "galop: management: 192.0.2.1 is no address of this machine; choose another with --set"
            + " management.host=…";
    assertTrue(ended.text().contains(sentence), ended.text());
  }

  private static Map<String, String> listeners(GalopProcess node) {
    Map<String, String> listeners = new TreeMap<>();
    ALL.forEach(name -> listeners.put(name, node.address(name)));
    return listeners;
  }

  private static void assertRefused(String host, String address) {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    assertThrows(
        ConnectException.class, () -> new Socket(host, port).close(), host + ", not " + address);
  }

  @Test
  void whatIsListenedOnIsWhatIsConfiguredAndSaid() throws Exception {
    int members = Ports.free();
    List<String> alone =
        settings("cluster.members=[127.0.0.1:" + members + "]", "cluster.port=" + members);
    alone.addAll(settings("cluster.busPort=0"));
    try (GalopProcess node = GalopProcess.run(directory, List.of(), alone)) {
      Map<String, String> said = listeners(node);
      assertEquals(new TreeSet<>(said.values()), KernelSockets.of(node.pid()));
      said.forEach((name, address) -> assertTrue(address.startsWith("127.0.0.1:"), said::toString));
      said.values().forEach(address -> assertRefused(OTHER, address));
      for (String name : List.of("http", "management", "tcp", "mqtt", "bridge", "bus")) {
        assertKeptAlive(node, name);
      }
    }
  }

  /** A client that is gone without a word is noticed by the kernel alone. */
  private static void assertKeptAlive(GalopProcess node, String name) throws Exception {
    String port = node.address(name).substring(node.address(name).lastIndexOf(':') + 1);
    try (Socket client = new Socket("127.0.0.1", Integer.parseInt(port))) {
      assertTrue(client.isConnected());
      Await.until(
          name + " kept alive",
          120,
          () -> KernelSockets.keptAlive(node.pid(), port).contains(Boolean.TRUE));
    }
  }

  @Test
  void eachListenerHasTheAddressOfItsOwn() throws Exception {
    int members = Ports.free();
    List<String> apart =
        settings(
            "cluster.members=[127.0.0.1:" + members + "]",
            "cluster.port=" + members,
            "cluster.busPort=0",
            "ingest.token=secret",
            "ingest.tcp.host=127.0.0.2",
            "ingest.mqtt.host=0.0.0.0",
            "ingest.mqtt.insecure=true",
            "http.host=127.0.0.4",
            "management.host=127.0.0.5");
    try (GalopProcess node = GalopProcess.run(directory, List.of(), apart)) {
      Map<String, String> hosts = new TreeMap<>();
      Set<String> kernel = KernelSockets.of(node.pid());
      listeners(node)
          .forEach(
              (name, address) -> {
                assertTrue(
                    kernel.remove(address.replace("0.0.0.0", "[0:0:0:0:0:0:0:0]"))
                        || kernel.remove(address),
                    name + " " + address + " of " + kernel);
                hosts.put(name, address.substring(0, address.lastIndexOf(':')));
              });
      assertEquals(Set.of(), kernel);
      assertEquals(
          "{bridge=127.0.0.1, bus=127.0.0.1, cluster=127.0.0.1, http=127.0.0.4,"
              + " management=127.0.0.5, mqtt=0.0.0.0, tcp=127.0.0.2}",
          hosts.toString().replace("[0:0:0:0:0:0:0:0]", "0.0.0.0"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http, http.port",
    "management, management.port",
    "tcp, ingest.tcp.port",
    "mqtt, ingest.mqtt.port",
    "bridge, ingest.bridge.port",
    "bus, cluster.busPort",
    "cluster, cluster.port"
  })
  void aPortThatIsTakenIsNamedWithWhatToSet(String name, String key) throws Exception {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    try (ServerSocket other = new ServerSocket(Ports.free(), 1, loopback)) {
      List<String> args = new ArrayList<>(List.of("run"));
      args.addAll(settings("node.dataDir=" + directory, "http.port=0", "management.port=0"));
      args.addAll(settings("ingest.tcp.port=0", "ingest.mqtt.port=0", "ingest.bridge.port=0"));
      if (key.startsWith("cluster.")) {
        args.addAll(settings("cluster.members=[127.0.0.1:1]", "cluster.port=0"));
        args.addAll(settings("cluster.busPort=0"));
      }
      args.addAll(settings(key + "=" + other.getLocalPort()));
      Cli.Ended ended = Cli.run(args.toArray(String[]::new));
      assertEquals(1, ended.code(), ended.text());
      String sentence =
          "galop: %s: port %d on 127.0.0.1 is in use; choose another with --set %s=…"
              .formatted(name, other.getLocalPort(), key);
      assertTrue(ended.text().contains(sentence), ended.text());
      assertTrue(!ended.text().contains("\tat "), ended.text());
    }
  }
}
