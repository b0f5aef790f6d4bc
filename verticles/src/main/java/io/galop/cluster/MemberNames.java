package io.galop.cluster;

import io.galop.config.ClusterConfig;
import io.galop.yaml.ConfigException;
import java.net.Inet6Address;
import java.net.InetAddress;
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

  /** A directory that knows the other nodes will know this one soon. */
  static final long OWN_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String TTL = "networkaddress.cache.ttl";
  private static final String NO_TTL = "networkaddress.cache.negative.ttl";
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final Logger LOG = LoggerFactory.getLogger(MemberNames.class);

  private final List<Entry> entries;
  private final Directory directory;
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  /** The last answer for each name. */
  private final Map<String, List<InetAddress>> remembered = new ConcurrentHashMap<>();

  /**
   * @param members host, host:port or [IPv6 address]:port each; a host may be a name
   * @param port of those that name none
   */
  MemberNames(List<String> members, int port, Directory directory) {
    this.entries = members.stream().map(member -> Entry.parse(member.strip(), port)).toList();
    this.directory = directory;
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
    MemberNames names = new MemberNames(cluster.members(), port, ofJvm());
    Set<InetAddress> own = new HashSet<>();
    try {
      if (stores) {
        own.add(InetAddress.getByName(cluster.host()));
      }
    } catch (UnknownHostException e) {
      LOG.debug("{} is no address that names could have: {}", cluster.host(), e.getMessage());
    }
    long start = System.nanoTime();
    while (!names.isKnown(own, System.nanoTime() - start)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return names;
  }

  /**
   * Whether a node may look for others now. Where members are given by names only, one must have an
   * address. A storing node also waits a while until the names have its own: of two that start at
   * once, the one whose address is published later sees the other then, and they do not begin as
   * two clusters. Blocks.
   *
   * @param own this node's address, where it stores; else empty
   * @param waitedNanos since the first call
   * @throws ConfigException if no name had an address in all that time
   */
  boolean isKnown(Set<InetAddress> own, long waitedNanos) {
    if (!entries.stream().allMatch(Entry::isName)) {
      return true;
    }
    Set<InetAddress> found = new HashSet<>();
    entries.forEach(entry -> found.addAll(known(entry.host)));
    if (found.isEmpty() && waitedNanos > ANY_PATIENCE_NANOS) {
      String names = String.join(", ", entries.stream().map(Entry::host).distinct().toList());
      throw new ConfigException(
          List.of(
              "cluster.members: must name hosts that have an address; for a minute none had one: "
                  + names));
    }
    return !found.isEmpty() && (found.containsAll(own) || waitedNanos > OWN_PATIENCE_NANOS);
  }
}
