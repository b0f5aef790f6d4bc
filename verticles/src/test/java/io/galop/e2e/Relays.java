package io.galop.e2e;

import io.galop.cli.certificates.TrialAuthority;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Certificates and settings of relays and of the nodes that dial them. */
record Relays(TrialAuthority authority) {
  static Relays signedIn(Path keys) throws Exception {
    TrialAuthority authority = TrialAuthority.in(keys);
    List<String> hosts = List.of("localhost", "127.0.0.1", "10.77.7.2");
    authority.sign(new Wanted("server", "localhost", hosts, 0, 90));
    authority.sign(new Wanted("client", "uplink", List.of(), 0, 90));
    return new Relays(authority);
  }

  /** The arguments of a relay. */
  List<String> relay(String host, int port) {
    List<String> args = new ArrayList<>(List.of("--roles", "broadcast"));
    for (String set :
        List.of(
            "host=" + host,
            "port=" + port,
            "tls.certificate=" + authority.file("server.crt"),
            "tls.key=" + authority.file("server.key"),
            "tls.clientCa=" + authority.file("ca.crt"))) {
      args.addAll(List.of("--set", "broadcast.link." + set));
    }
    return args;
  }

  /** The arguments of a node that dials relays on ports of this machine. */
  String[] dialling(int... ports) {
    return dialling("localhost", authority, ports);
  }

  /** The same elsewhere, and with a certificate of another authority perhaps. */
  String[] dialling(String host, TrialAuthority own, int... ports) {
    String all =
        IntStream.of(ports)
            .mapToObj(
                port ->
                    "{host: %s, port: %d, tls: {certificate: %s, key: %s, ca: %s}}"
                        .formatted(
                            host,
                            port,
                            own.file("client.crt"),
                            own.file("client.key"),
                            authority.file("ca.crt")))
            .collect(Collectors.joining(", "));
    return new String[] {"--set", "relays=[" + all + "]"};
  }

  /** The names of the nodes to which this one has links that are up. */
  static List<String> linked(GalopProcess node) throws Exception {
    JsonArray links =
        new JsonObject(Stored.get(node.management("/status")).body()).getJsonArray("links");
    return links.stream()
        .map(JsonObject.class::cast)
        .filter(link -> link.getBoolean("up"))
        .map(link -> link.getString("node"))
        .sorted()
        .toList();
  }

  static void awaitLinked(GalopProcess node, String... names) {
    Await.until("links to " + List.of(names), 120, () -> linked(node).equals(List.of(names)));
  }
}
