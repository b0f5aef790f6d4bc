package io.galop.socket;

import io.galop.config.GalopConfig;
import io.galop.config.IpAddress;
import io.galop.config.Listener;
import java.util.List;
import java.util.Locale;

/**
 * By which names browsers may ask for a listener. A site can make its own name mean an address of
 * its reader's network (DNS rebinding): its pages are then of the same origin as this node, and
 * nothing but the name in the request tells them apart. An address is no name, and a name without a
 * dot is none that a site can have.
 */
public final class HostNames {
  private final boolean isAny;
  private final List<String> allowed;

  private HostNames(boolean isAny, List<String> allowed) {
    this.isAny = isAny;
    this.allowed = allowed;
  }

  /** Those of a listener. */
  public static HostNames of(GalopConfig config, Listener listener) {
    List<String> allowed =
        config.http().allowedHosts().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    return new HostNames(
        allowed.contains("*") || allowed.isEmpty() && !isGuarded(config, listener), allowed);
  }

  /** Off loopback nobody knows by which names a node is asked for; tokens guard it as well. */
  private static boolean isGuarded(GalopConfig config, Listener listener) {
    boolean isOperators = listener.name().equals(Listener.MANAGEMENT);
    boolean hasTokens = config.ingest().asksWhoPublishes() && config.broadcast().token().isAsked();
    return listener.isLoopback()
        && (isOperators || !hasTokens && config.http().trustedProxies().isEmpty());
  }

  boolean isAllowed(String header) {
    if (isAny) {
      return true;
    }
    String name = name(header.strip().toLowerCase(Locale.ROOT));
    return name.indexOf('.') < 0
        || name.endsWith(".localhost")
        || IpAddress.parse(name).isPresent()
        || allowed.stream().anyMatch(pattern -> matches(pattern, name));
  }

  private static boolean matches(String pattern, String name) {
    return pattern.startsWith("*.")
        ? name.endsWith(pattern.substring(1)) && name.length() >= pattern.length()
        : name.equals(pattern);
  }

  /** Without port and brackets, and without the dot that ends an absolute name. */
  private static String name(String header) {
    if (header.startsWith("[")) {
      return header.substring(1, Math.max(1, header.indexOf(']')));
    }
    int colon = header.indexOf(':');
    String name = colon < 0 ? header : header.substring(0, colon);
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }
}
