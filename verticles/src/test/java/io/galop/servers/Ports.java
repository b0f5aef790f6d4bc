package io.galop.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports below the range that outgoing connections take theirs from: a server that is restarted
 * finds its port free again.
 */
public final class Ports {
  private static final int FIRST = 15_000;
  private static final int LAST = 32_000;
  private static final int TRIES = 200;

  private Ports() {}

  /** A port of 127.0.0.1 that nobody listens on now. */
  public static int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new AssertionError("no free port among " + TRIES + " tried");
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe =
        new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
