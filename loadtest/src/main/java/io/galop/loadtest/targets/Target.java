package io.galop.loadtest.targets;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A server under test.
 *
 * @param name in the table
 * @param http where browsers connect
 * @param tcp where NDJSON lines are taken
 * @param pid of the server, if its cost is to be measured
 * @param wildcards whether viewers may register one filter for all topics
 */
public record Target(
    String name,
    InetSocketAddress http,
    InetSocketAddress tcp,
    OptionalLong pid,
    boolean wildcards) {

  /** What a viewer has to register to see all topics. */
  public List<String> addresses(int topics) {
    return wildcards
        ? List.of("load/#")
        : IntStream.range(0, topics).mapToObj(i -> "load/" + i).toList();
  }
}
