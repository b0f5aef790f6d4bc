package io.galop.enrich.script.graal;

import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.jspecify.annotations.Nullable;

/** A list of a record's data as an array of a language of GraalVM, without a copy. */
final class GraalArray extends ArrayList<@Nullable Object> implements ProxyArray {
  private static final long serialVersionUID = 1L;

  private final transient GraalValues values;

  GraalArray(GraalValues values) {
    this.values = values;
  }

  @Override
  public @Nullable Object get(long index) {
    check(this, index);
    return get((int) index);
  }

  @Override
  public void set(long index, Value value) {
    set(this, index, values.intoData(value));
  }

  @Override
  public boolean remove(long index) {
    return remove(this, index);
  }

  @Override
  public long getSize() {
    return size();
  }

  /** Beyond the end a language has its own answer: undefined, or an IndexError. */
  static void check(List<@Nullable Object> list, long index) {
    if (index < 0 || index >= list.size()) {
      throw new ArrayIndexOutOfBoundsException("there is no element " + index);
    }
  }

  /** Sets an element, or adds one at the end. */
  static void set(List<@Nullable Object> list, long index, @Nullable Object value) {
    if (index == list.size()) {
      list.add(value);
    } else if (index < 0 || index > list.size()) {
      throw new ArrayIndexOutOfBoundsException("a list cannot have holes");
    } else {
      list.set((int) index, value);
    }
  }

  /** Removes an element; those after it move up. */
  static boolean remove(List<@Nullable Object> list, long index) {
    boolean isThere = index >= 0 && index < list.size();
    if (isThere) {
      list.remove((int) index);
    }
    return isThere;
  }
}
