package io.galop.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Other wishes for a subscription: {@code Wishes.create().maxRate(2).anyBytesPerSecond()}. Each
 * method gives a changed copy. What is not named stays as it is.
 */
public final class Wishes {
  private static final Wishes NONE = new Wishes(Map.of());

  private final Map<String, Object> headers;

  private Wishes(Map<String, Object> headers) {
    this.headers = headers;
  }

  /** Changes nothing yet. */
  public static Wishes create() {
    return NONE;
  }

  private Wishes with(String name, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(headers);
    changed.put(name, value);
    return new Wishes(changed);
  }

  /** Only records of which this expression in CEL is true; an empty text: of all. */
  public Wishes where(String expression) {
    return with("where", expression);
  }

  /** Only these fields of the data; without a name all. */
  public Wishes fields(String... names) {
    return with("fields", String.join(",", List.of(names)));
  }

  /** Most records per second and topic; of the others the node keeps only the newest. */
  public Wishes maxRate(double perSecond) {
    return with("maxRate", perSecond);
  }

  /** As many records per second as there are. */
  public Wishes anyRate() {
    return with("maxRate", "");
  }

  /** See {@link SubscribeOptions#maxBytesPerSecond}. */
  public Wishes maxBytesPerSecond(long bytes) {
    return with("maxBytesPerSecond", bytes);
  }

  /** As many bytes per second as there are. */
  public Wishes anyBytesPerSecond() {
    return with("maxBytesPerSecond", "");
  }

  /** As headers of a message; an empty text ends a wish. */
  Map<String, Object> headers() {
    return headers;
  }
}
