package io.galop.enrich.script.graal;

import io.galop.enrich.script.StateList;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.jspecify.annotations.Nullable;

/**
 * A list of a state as an array of a language of GraalVM.
 *
 * @param list what is shown
 * @param views shows what is in it
 */
record GraalStateArray(StateList list, GraalViews views) implements ProxyArray, HostView {
  @Override
  public Object shown() {
    return list;
  }

  @Override
  public @Nullable Object get(long index) {
    GraalArray.check(list, index);
    return views.state(list.get((int) index));
  }

  @Override
  public void set(long index, Value value) {
    GraalArray.set(list, index, GraalValues.stored(value));
  }

  @Override
  public boolean remove(long index) {
    return GraalArray.remove(list, index);
  }

  @Override
  public long getSize() {
    return list.size();
  }
}
