package io.galop.expression;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list as expressions see it: of values that they can use already. Filled, then not changed. */
@SuppressWarnings("serial") // nobody writes it
public final class CelList extends ArrayList<@Nullable Object> {
  private boolean holdsNull;
  private boolean holdsView;
  private long weight = 1;

  @Override
  public boolean add(@Nullable Object value) {
    Object shown = CelValues.shown(value);
    weight = CelValues.sum(weight, CelValues.weight(shown));
    holdsNull |= CelValues.holdsNull(shown);
    holdsView |=
        shown instanceof CelMap map && !map.isFrozen()
            || shown instanceof CelList list && list.holdsView;
    return super.add(shown);
  }

  /** One with these values. */
  static CelList of(List<?> values) {
    CelList list = new CelList();
    values.forEach(list::add);
    return list;
  }

  /** Whether a null is in it, at any depth. */
  boolean holdsNull() {
    return holdsNull;
  }

  /** Whether a map that may change is in it, at any depth. */
  boolean holdsView() {
    return holdsView;
  }

  /** Values in it and characters of texts, at any depth. */
  long weight() {
    return weight;
  }
}
