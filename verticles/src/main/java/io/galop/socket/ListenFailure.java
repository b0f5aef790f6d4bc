package io.galop.socket;

import io.galop.config.IpAddress;
import io.galop.config.Listener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A listener cannot be opened; the message says why and what to set. */
public final class ListenFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private ListenFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Nothing could be bound; all transports name the cause as the kernel does. */
  public static ListenFailure of(Listener listener, Throwable cause) {
    if (cause instanceof ListenFailure known) {
      return known;
    }
    String said = String.valueOf(cause.getMessage());
    String place = "port " + listener.port() + " on " + listener.host();
    String another = "; choose another with --set " + listener.portKey() + "=…";
    String sentence;
    if (said.contains("Address already in use") || said.contains("already in use")) {
      sentence = place + " is in use" + another + without(listener);
    } else if (said.contains("Permission denied")) {
      sentence = place + " may not be taken by this user" + another + " (1024 or above)";
    } else if (said.contains("Cannot assign requested address")
        || cause instanceof UnknownHostException) {
      sentence =
          listener.host()
              + " is no address of this machine; choose another with --set "
              + listener.hostKey()
              + "=…";
    } else {
      sentence = place + " cannot be listened on: " + said + another + without(listener);
    }
    return new ListenFailure(listener.name() + ": " + sentence, cause);
  }

  private static String without(Listener listener) {
    return listener.enabledKey().map(key -> ", or do without: --set " + key + "=false").orElse("");
  }

  /**
   * Compares what is listened on with the configuration. A name is not looked up again: it must
   * only not have become all addresses.
   *
   * @throws ListenFailure if others could reach it than the configuration says
   */
  public static void check(Listener listener, List<InetSocketAddress> really) {
    if (really.isEmpty() || !really.stream().allMatch(address -> fits(listener, address))) {
      String sentence =
          "%s: listens on %s though %s is %s; the node stops, as others could reach it than should"
              .formatted(listener.name(), really, listener.hostKey(), listener.host());
      throw new ListenFailure(sentence, null);
    }
  }

  private static boolean fits(Listener listener, InetSocketAddress really) {
    InetAddress address = really.getAddress();
    if (listener.isAnyAddress()) {
      return address.isAnyLocalAddress();
    }
    Optional<IpAddress> literal = IpAddress.parse(listener.host());
    if (literal.isPresent()) {
      return literal.equals(IpAddress.parse(address.getHostAddress()));
    }
    return listener.isLoopback() ? address.isLoopbackAddress() : !address.isAnyLocalAddress();
  }
}
