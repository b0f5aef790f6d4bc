package io.galop.node;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * The {@link Reports} by which a drill gets to relays. Both take an order of a drill, again and
 * again the same one, and answer what is known by then; no record and no viewer of anybody else is
 * changed by it. Pure.
 */
public final class DrillReports {
  /**
   * The report of a relay: what its own viewers of a drill were shown. {@code
   * {"state":word,"failed":[word,…],"relays":[…]}}.
   */
  public static final String RELAY = "drill/relay";

  /**
   * The report of a node that dials relays, {@code {"relays":[{"relay":address,"node":name,"id":…,
   * "state":word,"failed":[word,…]},…]}}; one that does not say has {@code why} instead. Other
   * nodes may ask for it.
   */
  public static final String RELAYS = "drill/relays";

  private static final String ORDER = "order";
  private static final String TIMEOUT_MS = "timeoutMs";

  private DrillReports() {}

  /** The parameters of either. */
  public static Map<String, String> parameters(JsonObject order, long timeoutMs) {
    return Map.of(ORDER, order.encode(), TIMEOUT_MS, Long.toString(timeoutMs));
  }

  /**
   * The order in these.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static JsonObject order(Map<String, String> parameters) {
    try {
      return new JsonObject(parameters.getOrDefault(ORDER, ""));
    } catch (DecodeException wrong) {
      throw new IllegalArgumentException("order must be an object", wrong);
    }
  }

  /**
   * How long an answer may take.
   *
   * @param mostMs and if none is given
   * @throws IllegalArgumentException if it is no number
   */
  public static long timeoutMs(Map<String, String> parameters, long mostMs) {
    String given = parameters.get(TIMEOUT_MS);
    return given == null ? mostMs : Math.min(mostMs, Long.parseLong(given));
  }
}
