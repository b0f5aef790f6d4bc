package io.galop.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Other wishes for a filter, until the node has answered. */
record Update(Wishes wishes, CompletableFuture<Void> done) {
  private static final Set<String> REFUSALS =
      Set.of("invalid_header", "max_handlers_reached", "not_registered");

  /** Whether a refusal is of the update, and the registration goes on as it was. */
  static boolean isRefusal(String word) {
    return REFUSALS.contains(word);
  }

  /** The headers of a registration that has these wishes from the beginning. */
  Map<String, Object> applied(Map<String, Object> headers) {
    Map<String, Object> changed = new LinkedHashMap<>(headers);
    wishes
        .headers()
        .forEach(
            (name, wish) -> {
              if (wish.equals("")) {
                changed.remove(name);
              } else {
                changed.put(name, wish);
              }
            });
    return changed;
  }
}
