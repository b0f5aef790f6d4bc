package io.galop.servers;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports below the range that outgoing connections take theirs from: a server that is restarted
 * finds its port free again.
 */
public final class Ports {
  private static final int COUNT = 8_000;

  /** JVMs that run tests side by side have ports of their own. */
  private static final int FIRST = 15_000 + COUNT * ((Integer.getInteger("galop.fork", 1) - 1) % 2);

  private static final int TRIES = 200;

  /**
   * Ports handed out by this JVM. Each is handed out once: two servers that share a port with
   * SO_REUSEPORT would get half of the connections each.
   */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /** A port that nobody listens on now, at any address, and that was not handed out before. */
  public static int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST + COUNT);
      if (GIVEN.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new AssertionError("no free port among " + TRIES + " tried");
  }

  /** A socket at every address is refused if there is one at any. */
  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1)) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
