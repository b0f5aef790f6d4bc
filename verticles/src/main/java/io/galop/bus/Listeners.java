package io.galop.bus;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The listeners that are open, by name, with the address and the port really taken: a configured
 * port 0 takes a free one. Safe to call from any thread.
 */
public final class Listeners {
  private final Map<String, String> open = new ConcurrentHashMap<>();

  /** A listener is open; saying so again, from another event loop, changes nothing. */
  public void opened(String name, String host, int port) {
    open.put(name, (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port);
  }

  /** A listener has closed. */
  public void closed(String name) {
    open.remove(name);
  }

  /** Name → {@code host:port} of all that are open. */
  public Map<String, String> open() {
    return new TreeMap<>(open);
  }
}
