package io.galop.loadtest.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network namespace for each node with two cables: one to the other nodes, which may be cut, and
 * one to clients and stores. The load test itself is on the clients' bridge.
 */
final class Network {
  /** The load test and the stores, as nodes reach them. */
  static final String OUTSIDE = "10.91.2.1";

  private static final String NODES = "10.91.1.";
  private static final String CLIENTS = "10.91.2.";
  private static final int FIRST = 10;
  private static final Pattern COUNTER = Pattern.compile("counter packets (\\d+)");

  private final Map<String, Integer> numbers = new HashMap<>();

  /** Makes both bridges. Files of {@code ip} are kept from the machine's own. */
  Network() throws IOException {
    Shell.run("mount -t tmpfs none /run");
    Shell.run("ip link set lo up");
    for (String bridge : List.of("nodes", "clients")) {
      Shell.run("ip link add " + bridge + " type bridge");
      Shell.run("ip link set " + bridge + " up");
    }
    Shell.run("ip addr add " + OUTSIDE + "/24 dev clients");
  }

  /** Plugs a node in. */
  void add(String node) throws IOException {
    numbers.put(node, FIRST + numbers.size());
    Shell.run("ip netns add " + node);
    Shell.run("ip -n " + node + " link set lo up");
    plug(node, "nodes", nodeAddress(node));
    plug(node, "clients", clientAddress(node));
  }

  private static void plug(String node, String bridge, String address) throws IOException {
    String outer = bridge.charAt(0) + "-" + node;
    Shell.run("ip link add " + outer + " type veth peer name " + bridge + " netns " + node);
    Shell.run("ip link set " + outer + " master " + bridge + " up");
    Shell.run("ip -n " + node + " addr add " + address + "/24 dev " + bridge);
    Shell.run("ip -n " + node + " link set " + bridge + " up");
  }

  /** Where other nodes reach it. */
  String nodeAddress(String node) {
    return NODES + numbers.get(node);
  }

  /** Where clients reach it. */
  String clientAddress(String node) {
    return CLIENTS + numbers.get(node);
  }

  /** What a command has to begin with to run there. */
  static List<String> inside(String node) {
    return List.of("ip", "netns", "exec", node);
  }

  /**
   * Cuts a node off.
   *
   * @param how {@code all}: the cable; {@code inbound}, {@code outbound}: what comes or goes;
   *     {@code peer=NODE}, {@code peer-inbound=NODE}: only what is from or for one other node
   */
  void cut(String node, String how) throws IOException {
    String[] words = how.split("=");
    switch (words[0]) {
      case "all" -> Shell.run("ip link set n-" + node + " down");
      case "inbound" -> filter(node, "input", "iifname nodes");
      case "outbound" -> filter(node, "output", "oifname nodes");
      case "peer" -> {
        filter(node, "input", "ip saddr " + nodeAddress(words[1]));
        filter(node, "output", "ip daddr " + nodeAddress(words[1]));
      }
      case "peer-inbound" -> filter(node, "input", "ip saddr " + nodeAddress(words[1]));
      default -> throw new IllegalArgumentException("no way to cut: " + how);
    }
  }

  /** From here on nothing that this node begins leaves it; the attempts are counted. */
  void closeInwards(String node) throws IOException {
    nft(node, "add table inet border");
    nft(node, "add chain inet border out { type filter hook output priority 0 ; }");
    nft(node, "add rule inet border out oifname lo accept");
    nft(node, "add rule inet border out tcp flags & (syn | ack) == syn counter drop");
    nft(node, "add rule inet border out meta l4proto udp counter drop");
  }

  /** How many packets of such attempts there were. */
  long refusedInwards(String node) throws IOException {
    List<String> command = new ArrayList<>(inside(node));
    command.addAll(List.of("nft", "list", "chain", "inet", "border", "out"));
    Matcher counters = COUNTER.matcher(Shell.run(command));
    long count = 0;
    while (counters.find()) {
      count += Long.parseLong(counters.group(1));
    }
    return count;
  }

  private static void filter(String node, String hook, String what) throws IOException {
    nft(node, "add table inet chaos");
    nft(node, "add chain inet chaos " + hook + " { type filter hook " + hook + " priority 0 ; }");
    nft(node, "add rule inet chaos " + hook + " " + what + " drop");
  }

  private static void nft(String node, String words) throws IOException {
    List<String> command = new ArrayList<>(inside(node));
    command.add("nft");
    command.add(words);
    Shell.run(command);
  }

  /** Undoes a cut. */
  void mend(String node, String how) throws IOException {
    if (how.equals("all")) {
      Shell.run("ip link set n-" + node + " up");
    } else {
      nft(node, "delete table inet chaos");
    }
  }
}
