package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two zones with a border that drops and counts everything by which the outer one might begin to
 * speak: the feed passes, and the count stays at nothing, whatever is cut or killed.
 */
@Timeout(240)
class RelayBorderIT {
  private static final String BORDER =
      """
      table inet border {
        counter inwards { }
        counter feed { }
        chain entry {
          type filter hook input priority 0;
          iifname "%1$s" tcp flags & (syn | ack) == syn counter name inwards drop
          iifname "%1$s" ip protocol != tcp counter name inwards drop
          iifname "%1$s" tcp sport 7900 counter name feed accept
          iifname "%1$s" ip protocol tcp counter name inwards drop
        }
      }
      """;

  @TempDir Path directory;
  private final Set<String> published = new TreeSet<>();

  private void publish(NetworkZone inside, GalopProcess node) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      String id = "r" + published.size();
      published.add(id);
      lines.append("{\"topic\":\"a/%d\",\"id\":\"%s\",\"data\":{\"n\":%d}}\n".formatted(i, id, i));
    }
    Path body = Files.writeString(directory.resolve("body"), lines);
    String type = "Content-Type: application/x-ndjson";
    String answer =
        inside.run(
            "curl", "-s", "-H", type, "--data-binary", "@" + body, node.http("/publish") + "");
    assertTrue(answer.contains("\"accepted\":50"), answer);
  }

  private static boolean isReady(NetworkZone zone, GalopProcess node) {
    return zone.run("curl", "-s", node.management("/health/ready") + "")
        .startsWith("{\"ready\":true");
  }

  private static long packets(NetworkZone inside, String counter) {
    String text = inside.run("nft", "list", "counter", "inet", "border", counter);
    Matcher packets = Pattern.compile("packets (\\d+)").matcher(text);
    assertTrue(packets.find(), text);
    return Long.parseLong(packets.group(1));
  }

  private void awaitAll(Curl... viewers) {
    for (Curl viewer : viewers) {
      Await.until("a viewer has all", 120, () -> viewer.ids().containsAll(published));
    }
  }

  private GalopProcess relay(Relays keys, NetworkZone outside) {
    List<String> args = new ArrayList<>(keys.relay(outside.address(), 7900));
    args.addAll(List.of("--set", "http.port=8080", "--set", "management.port=9090"));
    return GalopProcess.run(outside, directory.resolve("relay"), args);
  }

  @Test
  void theFeedPassesAndNothingIsTriedInwards() throws Exception {
    assumeTrue(NetworkZone.isFiltered(), "network namespaces and nftables need root");
    Relays keys = Relays.signedIn(directory.resolve("keys"));
    List<NetworkZone> zones = NetworkZone.pair();
    try (NetworkZone inside = zones.get(0);
        NetworkZone outside = zones.get(1)) {
      Path rules = Files.writeString(directory.resolve("nft"), BORDER.formatted(inside.link()));
      inside.run("nft", "-f", rules.toString());
      try (GalopProcess node =
          GalopProcess.run(
              inside,
              directory.resolve("node"),
              List.of(keys.dialling(outside.address(), keys.authority(), 7900)))) {
        passes(keys, inside, outside, node);
        assertEquals(0, packets(inside, "inwards"), "nothing was tried");
        assertTrue(packets(inside, "feed") > 0, "what the border lets through is the feed");
        outside.run("sh", "-c", "curl -s -m 2 http://" + inside.address() + ":8080/ || true");
        assertTrue(packets(inside, "inwards") > 0, "the border does count");
      }
    }
  }

  /** A cable out and in, and a relay that is killed. */
  private void passes(Relays keys, NetworkZone inside, NetworkZone outside, GalopProcess node)
      throws Exception {
    GalopProcess relay = relay(keys, outside);
    Await.until("the relay is ready", 120, () -> isReady(outside, relay));
    URI stream = relay.http("/stream/a/%23?since=");
    try (Curl viewer = new Curl(outside.prefix(), stream)) {
      publish(inside, node);
      awaitAll(viewer);
      inside.plug(false);
      Await.until("it is told that it is stale", 120, () -> !viewer.all("stale").isEmpty());
      publish(inside, node);
      inside.plug(true);
      Await.until("it is told that it is fresh", 120, () -> !viewer.all("fresh").isEmpty());
      awaitAll(viewer);
    } finally {
      relay.kill();
    }
    publish(inside, node);
    try (GalopProcess again = relay(keys, outside)) {
      Await.until("the relay is ready", 120, () -> isReady(outside, again));
      String past = outside.run("curl", "-s", again.http("/history/a/%23?limit=1000") + "");
      published.forEach(id -> assertTrue(past.contains("\"" + id + "\""), id));
    }
  }
}
