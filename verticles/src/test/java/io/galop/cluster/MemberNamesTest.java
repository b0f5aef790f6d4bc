package io.galop.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.hazelcast.config.Config;
import com.hazelcast.config.TcpIpConfig;
import com.hazelcast.spi.properties.ClusterProperty;
import io.galop.Logged;
import io.galop.config.ClusterConfig;
import io.galop.config.ClusterTlsConfig;
import io.galop.config.Role;
import io.galop.e2e.Await;
import io.galop.yaml.ConfigException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What members that are given by name mean to Hazelcast, while names change. */
class MemberNamesTest {
  private static final long OWN_PATIENCE_NANOS = 45;

  private final Map<String, List<String>> directory = new ConcurrentHashMap<>();

  private final AtomicInteger looks = new AtomicInteger();
  private final Set<InetSocketAddress> listening = new HashSet<>();

  private MemberNames names(String... members) {
    return new MemberNames(
        List.of(members), 5701, this::look, listening::contains, OWN_PATIENCE_NANOS);
  }

  private InetAddress[] look(String name) throws UnknownHostException {
    looks.incrementAndGet();
    List<String> found = directory.get(name);
    if (found == null) {
      throw new UnknownHostException(name);
    }
    InetAddress[] addresses = new InetAddress[found.size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = InetAddress.getByName(found.get(i));
    }
    return addresses;
  }

  private static Set<InetAddress> own(String address) throws UnknownHostException {
    return Set.of(InetAddress.getByName(address));
  }

  @Test
  void aNameIsAllItsAddressesEachTimeItIsAsked() {
    MemberNames names = names("galop-members", "other:7");
    assertTrue(names.isAny());
    directory.put("galop-members", List.of("10.0.0.1", "fd00::2"));
    assertEquals(List.of("10.0.0.1:5701", "[fd00:0:0:0:0:0:0:2]:5701"), names.addresses());
    directory.put("galop-members", List.of("10.0.0.3"));
    directory.put("other", List.of("10.0.0.4", "10.0.0.5"));
    assertEquals(List.of("10.0.0.3:5701", "10.0.0.4:7", "10.0.0.5:7"), names.addresses());
    directory.clear();
    List<String> last = List.of("10.0.0.3:5701", "10.0.0.4:7", "10.0.0.5:7");
    assertEquals(last, names.addresses(), "a directory that is away changes nothing");
  }

  @Test
  void whatIsNoNameStaysAsItIsWritten() throws Exception {
    String[] written = {"10.0.0.1:5701", "10.0.0.2", "10.0.1.*:1", "[fd00::1]:5701", "fd00::2"};
    assertFalse(names(written).isAny());
    assertEquals(List.of(written), names(written).addresses());
    MemberNames both = names("10.0.0.1:5701", "galop-members");
    assertTrue(both.isAny());
    assertTrue(both.isKnown(own("10.0.0.9"), 0), "nothing is waited for");
    assertEquals(List.of("10.0.0.1:5701"), both.addresses());
  }

  @Test
  void aNodeWaitsForAnAddressAndAStoringOneForItsOwn() throws Exception {
    MemberNames names = names("galop-members");
    assertFalse(names.isKnown(Set.of(), MemberNames.ANY_PATIENCE_NANOS));
    directory.put("galop-members", List.of("10.0.0.1"));
    assertTrue(names.isKnown(Set.of(), 0));
    assertFalse(names.isKnown(own("10.0.0.2"), OWN_PATIENCE_NANOS));
    assertTrue(names.isKnown(own("10.0.0.2"), OWN_PATIENCE_NANOS + 1));
    directory.put("galop-members", List.of("10.0.0.1", "10.0.0.2"));
    assertTrue(names.isKnown(own("10.0.0.2"), 0));
  }

  /** The other's name may be in a cache as one without an address for half a minute. */
  @Test
  void aStoringNodeWaitsForEachName() throws Exception {
    MemberNames names = names("galop-0", "galop-1");
    directory.put("galop-0", List.of("10.0.0.1"));
    assertFalse(names.isKnown(own("10.0.0.1"), OWN_PATIENCE_NANOS));
    assertTrue(names.isKnown(own("10.0.0.1"), OWN_PATIENCE_NANOS + 1));
    directory.put("galop-1", List.of("10.0.0.2"));
    assertTrue(names.isKnown(own("10.0.0.1"), 0));
  }

  @Test
  void aStoringNodeThatCanJoinAnotherWaitsForNothing() throws Exception {
    MemberNames names = names("galop-0", "galop-1:7", "galop-2");
    directory.put("galop-0", List.of("10.0.0.1"));
    directory.put("galop-1", List.of("10.0.0.2"));
    listening.add(new InetSocketAddress("10.0.0.1", 5701));
    listening.add(new InetSocketAddress("10.0.0.2", 5701));
    assertFalse(names.isKnown(own("10.0.0.1"), 0), "nobody but itself is at a port of members");
    listening.add(new InetSocketAddress("10.0.0.2", 7));
    assertTrue(names.isKnown(own("10.0.0.1"), 0));
  }

  @Test
  void aStartSaysWhichNameItWaitsForAndHowLong() throws Exception {
    MemberNames names =
        new MemberNames(
            List.of("galop-0", "galop-1"),
            5701,
            this::look,
            listening::contains,
            TimeUnit.HOURS.toNanos(1));
    directory.put("galop-0", List.of("10.0.0.1"));
    Set<InetAddress> own = own("10.0.0.1");
    try (Logged logged = new Logged(MemberNames.class)) {
      CompletableFuture<Void> start = CompletableFuture.runAsync(() -> names.awaitKnown(own));
      Await.until("it is told", 120, () -> !logged.with("waiting").isEmpty());
      directory.put("galop-1", List.of("10.0.0.2"));
      start.get(120, TimeUnit.SECONDS);
      assertEquals(
          List.of(
              "WARN cluster.members: waiting for an address of [galop-1], or until another node"
                  + " answers, for 3600 s (cluster.namesWaitSeconds) if one has an address"),
          logged.with("waiting"));
    }
  }

  @Test
  void namesThatNeverHaveAnAddressAreAMistake() {
    MemberNames names = names("galop-members", "galop-membres:5701");
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> names.isKnown(Set.of(), MemberNames.ANY_PATIENCE_NANOS + 1));
    assertEquals(
        "cluster.members: must name hosts that have an address; for a minute none had one:"
            + " galop-members, galop-membres",
        refused.getMessage());
  }

  @Test
  void aNameWithoutAnAddressIsToldOnceAndSoIsItsEnd() {
    MemberNames names = names("galop-members");
    try (Logged logged = new Logged(MemberNames.class)) {
      names.addresses();
      names.addresses();
      directory.put("galop-members", List.of("10.0.0.1"));
      names.addresses();
      names.addresses();
      assertEquals(
          List.of(
              "WARN cluster.members: galop-members has no address, asking again until it has:"
                  + " java.net.UnknownHostException: galop-members",
              "INFO cluster.members: galop-members has an address now"),
          logged.with("galop-members"));
    }
  }

  /** It would pass over a name of another machine. */
  @Test
  void hazelcastIsGivenAddressesInPlaceOfNames() {
    Config config =
        settings(MemberNames.await(cluster("localhost:5702", "127.0.0.1:5703"), 5701, false))
            .config();
    TcpIpConfig given = config.getNetworkConfig().getJoin().getTcpIpConfig();
    assertTrue(given.isEnabled());
    assertEquals(2, given.getConnectionTimeoutSeconds(), "as in cluster.xml");
    assertTrue(given.getMembers().containsAll(List.of("127.0.0.1:5702", "127.0.0.1:5703")));
    assertFalse(given.getMembers().contains("localhost:5702"), given.getMembers().toString());
    String seconds = config.getProperty(ClusterProperty.SOCKET_CONNECT_TIMEOUT_SECONDS.getName());
    assertEquals("2", seconds, "an address that answers nothing holds a join up for so long");
  }

  /** A cluster that takes nobody just now is asked again, within a time that is for that alone. */
  @Test
  void anotherTryToJoinWaitsForNoNames() {
    HazelcastSettings settings = settings(names("galop-members"));
    directory.put("galop-members", List.of("10.0.0.1"));
    settings.config();
    settings.config();
    assertEquals(0, looks.get(), "names are waited for before the first try");
  }

  private static HazelcastSettings settings(MemberNames names) {
    NodeAttributes node = new NodeAttributes("one", Set.of(Role.PERSIST), 4, "10.0.0.2", 7800);
    return new HazelcastSettings(cluster("galop-members"), "test", 5701, node, names);
  }

  private static ClusterConfig cluster(String... members) {
    return new ClusterConfig(
        List.of(members),
        "test",
        "",
        "",
        1 << 26,
        "127.0.0.1",
        5701,
        0,
        3,
        5_000,
        30_000,
        45,
        ClusterTlsConfig.none());
  }
}
