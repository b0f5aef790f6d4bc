package io.galop.loadtest.targets;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A server under test.
 *
 * @param name in the table
 * @param browsers where browsers connect, one address per node
 * @param tcp where NDJSON lines are taken
 * @param pids of the server's processes, if its cost is to be measured
 * @param filters what a viewer has to say to see all topics
 * @param tls whether browsers connect over TLS
 */
public record Target(
    String name,
    List<InetSocketAddress> browsers,
    InetSocketAddress tcp,
    List<Long> pids,
    Filters filters,
    boolean tls) {

  public Target(
      String name,
      List<InetSocketAddress> browsers,
      InetSocketAddress tcp,
      List<Long> pids,
      Filters filters) {
    this(name, browsers, tcp, pids, filters, false);
  }

  /** The same server where browsers connect over TLS, perhaps to a process more. */
  Target secured(List<InetSocketAddress> addresses, List<Long> morePids) {
    List<Long> all = new ArrayList<>(pids);
    all.addAll(morePids);
    return new Target(name, addresses, tcp, all, filters, true);
  }

  /** What a viewer has to say to see all topics. */
  public enum Filters {
    WILDCARD,
    EACH_TOPIC,
    NOTHING
  }

  /** Where the first node's browsers connect. */
  public InetSocketAddress http() {
    return browsers.get(0);
  }

  /** What a viewer has to register to see all topics. */
  public List<String> addresses(int topics) {
    return switch (filters) {
      case WILDCARD -> List.of("load/#");
      case EACH_TOPIC -> IntStream.range(0, topics).mapToObj(i -> "load/" + i).toList();
      case NOTHING -> List.of();
    };
  }
}
