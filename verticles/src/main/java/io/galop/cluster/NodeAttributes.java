package io.galop.cluster;

import com.hazelcast.config.MemberAttributeConfig;
import io.galop.config.Role;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.cluster.NodeInfo;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a node tells the others about itself, as Hazelcast member attributes: they come and go with
 * the member, so unlike an entry of a distributed map they cannot outlive it, and they are there
 * when no member holds data.
 *
 * @param shards how many shards the node divides topics into
 * @param busHost where its event bus is reached
 */
record NodeAttributes(String name, Set<Role> roles, int shards, String busHost, int busPort) {
  private static final String NODE_ID = "__vertx.nodeId";
  private static final String NAME = "galop.name";
  private static final String ROLES = "galop.roles";
  private static final String SHARDS = "galop.shards";
  private static final String BUS_HOST = "galop.bus.host";
  private static final String BUS_PORT = "galop.bus.port";

  void writeTo(MemberAttributeConfig attributes) {
    attributes.setAttribute(NAME, name);
    attributes.setAttribute(
        ROLES, roles.stream().map(Role::name).sorted().collect(Collectors.joining(",")));
    attributes.setAttribute(SHARDS, Integer.toString(shards));
    attributes.setAttribute(BUS_HOST, busHost);
    attributes.setAttribute(BUS_PORT, Integer.toString(busPort));
  }

  /** What a member said; empty if it is no node of Galop. */
  static Optional<NodeAttributes> of(com.hazelcast.cluster.Member member) {
    if (member.getAttribute(NAME) == null) {
      return Optional.empty();
    }
    String words = member.getAttribute(ROLES);
    Set<Role> roles =
        Arrays.stream(words.split(","))
            .filter(word -> !word.isEmpty())
            .map(Role::valueOf)
            .collect(Collectors.toUnmodifiableSet());
    return Optional.of(
        new NodeAttributes(
            member.getAttribute(NAME),
            roles,
            Integer.parseInt(member.getAttribute(SHARDS)),
            member.getAttribute(BUS_HOST),
            Integer.parseInt(member.getAttribute(BUS_PORT))));
  }

  /** The Vert.x node id of a member. */
  static String id(com.hazelcast.cluster.Member member) {
    return String.valueOf(member.getAttribute(NODE_ID));
  }

  /**
   * @param isLite whether the member holds no data: one that stores has then not read its Log
   */
  Member toMember(String id, boolean isLite) {
    return new Member(id, name, roles, isLite && roles.contains(Role.PERSIST));
  }

  NodeInfo toNodeInfo() {
    return new NodeInfo(busHost, busPort, new JsonObject());
  }
}
