package io.galop.broadcast.deflate;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a client offers in {@code Sec-WebSocket-Extensions} and what is answered (RFC 7692, 7.1). An
 * offer that is malformed or asks for what is not done here is declined: the next one counts, and
 * without any the connection is not compressed.
 */
public final class DeflateOffer {
  private static final String NAME = "permessage-deflate";
  private static final String ANSWER =
      NAME + "; server_no_context_takeover; client_no_context_takeover";
  private static final String WINDOW_BITS = "server_max_window_bits";

  /** The compressor of the JDK has no other window, so a client that takes less gets none. */
  private static final String MOST_BITS = "15";

  private static final Set<String> BITS = Set.of("8", "9", "10", "11", "12", "13", "14", MOST_BITS);

  private DeflateOffer() {}

  /**
   * The header of the answer; empty if no offer is accepted.
   *
   * @param offered the values of the request's headers
   */
  public static Optional<String> answer(List<String> offered) {
    return offered.stream()
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(offer -> offer.split(";", -1))
        .filter(DeflateOffer::isAcceptable)
        .findFirst()
        .map(offer -> Arrays.stream(offer).anyMatch(DeflateOffer::isWindow))
        .map(named -> named ? ANSWER + "; " + WINDOW_BITS + "=" + MOST_BITS : ANSWER);
  }

  private static boolean isWindow(String parameter) {
    return parameter.strip().startsWith(WINDOW_BITS);
  }

  private static boolean isAcceptable(String[] offer) {
    Set<String> names = new HashSet<>();
    boolean isGood = offer[0].strip().equals(NAME);
    for (int i = 1; i < offer.length && isGood; i++) {
      String[] pair = offer[i].split("=", 2);
      String name = pair[0].strip();
      isGood = names.add(name) && isAcceptable(name, pair.length == 1 ? "" : value(pair[1]));
    }
    return isGood;
  }

  /** A value may be quoted; none is not the same as an empty one. */
  private static String value(String text) {
    String value = text.strip();
    boolean isQuoted = value.length() > 2 && value.startsWith("\"") && value.endsWith("\"");
    String bare = isQuoted ? value.substring(1, value.length() - 1) : value;
    return bare.isEmpty() ? "none" : bare;
  }

  private static boolean isAcceptable(String name, String value) {
    return switch (name) {
      case "server_no_context_takeover", "client_no_context_takeover" -> value.isEmpty();
      case "client_max_window_bits" -> value.isEmpty() || BITS.contains(value);
      case WINDOW_BITS -> value.equals(MOST_BITS);
      default -> false;
    };
  }
}
