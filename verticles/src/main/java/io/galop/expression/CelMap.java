package io.galop.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelValue;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map as expressions see it. CEL looks through all that a map of the JDK holds, at each access to
 * a field, for values to convert; it takes one of its own values as it is.
 *
 * <p>A <em>frozen</em> map holds values that expressions can use already, and does not change once
 * it is filled. Another is a view of a map that may change: what it gives is converted then.
 */
@SuppressWarnings("Immutable") // filled before it is shown, or a view for one call
public final class CelMap extends CelValue implements Map<String, @Nullable Object> {
  private static final CelType TYPE = MapType.create(SimpleType.DYN, SimpleType.DYN);

  private final Map<?, ?> of;
  private final boolean frozen;
  private boolean holdsNull;
  private long weight = 1;

  private CelMap(Map<?, ?> of, boolean frozen) {
    this.of = of;
    this.frozen = frozen;
  }

  /** An empty one, to be filled with {@link #put} before it is used. */
  public static CelMap frozen() {
    return new CelMap(new LinkedHashMap<>(), true);
  }

  /** Shows a map of plain values, with texts as keys, which may change. */
  static CelMap view(Map<?, ?> of) {
    return new CelMap(of, false);
  }

  boolean isFrozen() {
    return frozen;
  }

  /** Whether a null is in it, at any depth; for a frozen one. */
  boolean holdsNull() {
    return holdsNull;
  }

  /** Values in it and characters of texts, at any depth; for a frozen one. */
  long weight() {
    return weight;
  }

  /** Fills a frozen one. */
  @Override
  @SuppressWarnings("unchecked") // a frozen one is made here
  public @Nullable Object put(String key, @Nullable Object value) {
    Object shown = CelValues.shown(value);
    weight = CelValues.sum(weight + key.length(), CelValues.weight(shown));
    holdsNull |= CelValues.holdsNull(shown);
    return ((Map<String, Object>) of).put(key, shown);
  }

  @Override
  public @Nullable Object get(Object key) {
    Object value = of.get(key);
    if (frozen || value == null && !of.containsKey(key)) {
      return value;
    }
    return CelValues.shown(value);
  }

  @Override
  public boolean containsKey(Object key) {
    return of.containsKey(key);
  }

  @Override
  public int size() {
    return of.size();
  }

  @Override
  public boolean isEmpty() {
    return of.isEmpty();
  }

  @Override
  public Set<String> keySet() {
    Set<String> keys = new LinkedHashSet<>();
    of.keySet().forEach(key -> keys.add(String.valueOf(key)));
    return keys;
  }

  @Override
  public Collection<@Nullable Object> values() {
    return all().values();
  }

  @Override
  public Set<Entry<String, @Nullable Object>> entrySet() {
    return all().entrySet();
  }

  @SuppressWarnings("unchecked") // a frozen one is made here
  private Map<String, @Nullable Object> all() {
    if (frozen) {
      return (Map<String, Object>) of;
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    of.forEach((key, value) -> all.put(String.valueOf(key), CelValues.shown(value)));
    return all;
  }

  @Override
  public boolean containsValue(Object value) {
    return all().containsValue(value);
  }

  @Override
  public @Nullable Object remove(Object key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(Map<? extends String, ?> from) {
    from.forEach(this::put);
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return of.isEmpty();
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(Object other) {
    return other == this || other instanceof Map<?, ?> && all().equals(other);
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  @Override
  public String toString() {
    return all().toString();
  }
}
