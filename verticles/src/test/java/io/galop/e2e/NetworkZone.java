package io.galop.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A network namespace with an interface that leads to another one. Needs root, ip and nft. */
record NetworkZone(String name, String link, String address) implements AutoCloseable {
  /** Two of them, which reach each other at {@code 10.77.7.1} and {@code 10.77.7.2}. */
  static List<NetworkZone> pair() {
    long tag = ProcessHandle.current().pid() % 100_000;
    NetworkZone one = new NetworkZone("galop-in-" + tag, "gin" + tag, "10.77.7.1");
    NetworkZone two = new NetworkZone("galop-dmz-" + tag, "gdmz" + tag, "10.77.7.2");
    must("ip", "netns", "add", one.name);
    must("ip", "netns", "add", two.name);
    must("ip", "-n", one.name, "link", "add", one.link, "type", "veth", "peer", "name", two.link);
    must("ip", "-n", one.name, "link", "set", two.link, "netns", two.name);
    for (NetworkZone zone : List.of(one, two)) {
      must("ip", "-n", zone.name, "addr", "add", zone.address + "/24", "dev", zone.link);
      must("ip", "-n", zone.name, "link", "set", "lo", "up");
      must("ip", "-n", zone.name, "link", "set", zone.link, "up");
    }
    return List.of(one, two);
  }

  /** One by itself, with loopback only. */
  static NetworkZone alone() {
    long tag = ProcessHandle.current().pid() % 100_000;
    NetworkZone one = new NetworkZone("galop-one-" + tag, "lo", "127.0.0.1");
    must("ip", "netns", "add", one.name);
    must("ip", "-n", one.name, "link", "set", "lo", "up");
    return one;
  }

  /** Whether this machine lets a test make them, without filters. */
  static boolean isPossible() {
    return isPossible("ip", "-n", "%s", "link", "set", "lo", "up");
  }

  /** Whether it lets them have filters, too. */
  static boolean isFiltered() {
    return isPossible("ip", "netns", "exec", "%s", "nft", "list", "ruleset");
  }

  /**
   * @param command has to work; {@code %s} is a namespace
   */
  private static boolean isPossible(String... command) {
    String probe = "galop-probe-" + ProcessHandle.current().pid();
    try {
      boolean made = code(List.of("ip", "netns", "add", probe)) == 0;
      List<String> tried = Stream.of(command).map(word -> word.formatted(probe)).toList();
      boolean works = made && code(tried) == 0;
      return made && code(List.of("ip", "netns", "del", probe)) == 0 && works;
    } catch (IOException e) {
      return false;
    }
  }

  /** What stands before a command that is to run in it. */
  List<String> prefix() {
    return List.of("ip", "netns", "exec", name);
  }

  /** Runs a command in it; what it printed. */
  String run(String... command) {
    List<String> all = new ArrayList<>(prefix());
    all.addAll(List.of(command));
    return must(all.toArray(String[]::new));
  }

  /** Takes the cable out, or puts it back: nothing is closed by that. */
  void plug(boolean isIn) {
    must("ip", "-n", name, "link", "set", link, isIn ? "up" : "down");
  }

  private static int code(List<String> command) throws IOException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String must(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      byte[] said = process.getInputStream().readAllBytes();
      String text = new String(said, StandardCharsets.UTF_8);
      if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + text);
      }
      return text;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(String.join(" ", command), e);
    }
  }

  /** Its interfaces go with it. */
  @Override
  public void close() {
    must("ip", "netns", "del", name);
  }
}
