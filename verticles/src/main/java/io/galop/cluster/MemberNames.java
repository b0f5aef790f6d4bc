package io.galop.cluster;

import io.galop.config.ClusterConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entries of {@code cluster.members}. A name stands for all addresses that it has when it is
 * asked for, so that nodes which come and go under one name find each other; Hazelcast itself would
 * pass over every name of another machine. Everything that asks for a name blocks. Safe to call
 * from any thread.
 */
final class MemberNames {
  /** Who knows the addresses of a name. */
  @FunctionalInterface
  interface Directory {
    /**
     * All addresses of a name; blocks.
     *
     * @throws UnknownHostException if it has none, or nobody answers
     */
    InetAddress[] addresses(String name) throws UnknownHostException;
  }

  /** A name without any address for so long is a mistake. */
  static final long ANY_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Of a look whether a node is there: they are near each other. */
  private static final int LOOK_MS = 500;

  private static final String TTL = "networkaddress.cache.ttl";
  private static final String NO_TTL = "networkaddress.cache.negative.ttl";
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final Logger LOG = LoggerFactory.getLogger(MemberNames.class);

  private final List<Entry> entries;
  private final Directory directory;
  private final Predicate<InetSocketAddress> isListening;
  private final long ownPatienceNanos;
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  /** The last answer for each name. */
  private final Map<String, List<InetAddress>> remembered = new ConcurrentHashMap<>();

  /**
   * @param members host, host:port or [IPv6 address]:port each; a host may be a name
   * @param port of those that name none
   * @param isListening whether a node is at an address; may block
   * @param ownPatienceNanos how long a directory may take to know this node and all other names
   */
  MemberNames(
      List<String> members,
      int port,
      Directory directory,
      Predicate<InetSocketAddress> isListening,
      long ownPatienceNanos) {
    this.entries = members.stream().map(member -> Entry.parse(member.strip(), port)).toList();
    this.directory = directory;
    this.isListening = isListening;
    this.ownPatienceNanos = ownPatienceNanos;
  }

  /**
   * The JVM's. It remembers an answer for half a minute unless it is told otherwise; told too late,
   * nodes find each other by so much later.
   */
  static Directory ofJvm() {
    if (Security.getProperty(TTL) == null && System.getProperty("sun.net.inetaddr.ttl") == null) {
      Security.setProperty(TTL, "3");
      Security.setProperty(NO_TTL, "1");
    }
    return InetAddress::getAllByName;
  }

  /**
   * @param member as it is written
   * @param host without its port
   */
  private record Entry(String member, String host, String port, boolean isName) {
    static Entry parse(String member, int port) {
      int colon = member.lastIndexOf(':');
      boolean hasPort = colon >= 0 && colon == member.indexOf(':');
      String host = hasPort ? member.substring(0, colon) : member;
      boolean isName = host.indexOf(':') < 0 && host.chars().anyMatch(Character::isLetter);
      return new Entry(member, host, hasPort ? member.substring(colon + 1) : "" + port, isName);
    }

    /** 0, where nobody is, if it is no number: Hazelcast says so. */
    int portNumber() {
      return port.matches("\\d{1,5}") ? Integer.parseInt(port) & 0xFFFF : 0;
    }

    String at(InetAddress address) {
      String text = address.getHostAddress();
      return (address instanceof Inet6Address ? '[' + text + ']' : text) + ':' + port;
    }
  }

  /** Whether there is a name among them. */
  boolean isAny() {
    return entries.stream().anyMatch(Entry::isName);
  }

  /** What Hazelcast is to try: address:port each, and all that is no name as it is written. */
  List<String> addresses() {
    List<String> all = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.isName) {
        known(entry.host).forEach(address -> all.add(entry.at(address)));
      } else {
        all.add(entry.member);
      }
    }
    return all;
  }

  private List<InetAddress> known(String name) {
    try {
      List<InetAddress> found = List.of(directory.addresses(name));
      if (unknown.remove(name)) {
        LOG.info("cluster.members: {} has an address now", name);
      }
      remembered.put(name, found);
      return found;
    } catch (UnknownHostException e) {
      if (unknown.add(name)) {
        LOG.warn("cluster.members: {} has no address, asking again until it has: {}", name, e + "");
      }
      // A node that joins while nobody answers would begin a cluster of its own.
      return remembered.getOrDefault(name, List.of());
    }
  }

  /**
   * The members of a configuration, once {@link #isKnown}; blocks until then.
   *
   * @param port the one that Hazelcast listens on
   * @param stores whether the node may own shards
   * @throws ConfigException if no name had an address for a minute
   */
  static MemberNames await(ClusterConfig cluster, int port, boolean stores) {
    long patience = TimeUnit.SECONDS.toNanos(cluster.namesWaitSeconds());
    MemberNames names =
        new MemberNames(cluster.members(), port, ofJvm(), MemberNames::isListening, patience);
    Set<InetAddress> own = new HashSet<>();
    try {
      if (stores) {
        own.add(InetAddress.getByName(cluster.host()));
      }
    } catch (UnknownHostException e) {
      LOG.debug("{} is no address that names could have: {}", cluster.host(), e.getMessage());
    }
    names.awaitKnown(own);
    return names;
  }

  /** Blocks until {@link #isKnown}; says once what is waited for. */
  void awaitKnown(Set<InetAddress> own) {
    long start = System.nanoTime();
    boolean isTold = false;
    while (!isKnown(own, System.nanoTime() - start)) {
      if (!isTold) {
        isTold = true;
        tellAwaited(own);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void tellAwaited(Set<InetAddress> own) {
    List<String> without = entries.stream().map(Entry::host).filter(unknown::contains).toList();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(ownPatienceNanos);
    if (own.isEmpty()) {
      LOG.warn("cluster.members: waiting for an address of one of {}", without);
    } else if (!without.isEmpty()) {
      LOG.warn(
          "cluster.members: waiting for an address of {}, or until another node answers, for {} s"
              + " (cluster.namesWaitSeconds) if one has an address",
          without,
          seconds);
    } else {
      LOG.info(
          "cluster.members: waiting until a name has this node's address, or another node answers,"
              + " for {} s (cluster.namesWaitSeconds)",
          seconds);
    }
  }

  private static boolean isListening(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, LOOK_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether a node may look for others now. Where members are given by names only, one must have an
   * address. A storing node also waits a while until each name has an address, and one has its own:
   * of two that start at once, the one whose address is published later sees the other then, and
   * they do not begin as two clusters. It need not wait where another node is there to be joined.
   * Blocks.
   *
   * @param own this node's address, where it stores; else empty
   * @param waitedNanos since the first call
   * @throws ConfigException if no name had an address in all that time
   */
  boolean isKnown(Set<InetAddress> own, long waitedNanos) {
    if (!entries.stream().allMatch(Entry::isName)) {
      return true;
    }
    Set<InetSocketAddress> found = new HashSet<>();
    boolean isEach = true;
    for (Entry entry : entries) {
      List<InetAddress> known = known(entry.host);
      isEach &= !known.isEmpty();
      known.forEach(address -> found.add(new InetSocketAddress(address, entry.portNumber())));
    }
    if (found.isEmpty() && waitedNanos > ANY_PATIENCE_NANOS) {
      String names = String.join(", ", entries.stream().map(Entry::host).distinct().toList());
      throw new ConfigException(
          List.of(
              "cluster.members: must name hosts that have an address; for a minute none had one: "
                  + names));
    }
    Set<InetAddress> hosts =
        found.stream().map(InetSocketAddress::getAddress).collect(Collectors.toSet());
    boolean isComplete = own.isEmpty() || (isEach && hosts.containsAll(own));
    return !found.isEmpty()
        && (isComplete || waitedNanos > ownPatienceNanos || isAnyThere(found, own));
  }

  private boolean isAnyThere(Set<InetSocketAddress> found, Set<InetAddress> own) {
    return found.stream()
        .filter(address -> !own.contains(address.getAddress()))
        .anyMatch(isListening);
  }
}
