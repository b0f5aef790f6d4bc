package io.galop.enrich.script;

import java.util.List;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;

/** Lists of the host as arrays of a language of GraalVM. */
public final class GraalArrays {
  private GraalArrays() {}

  /** Sets an element, or adds one at the end. */
  public static void set(List<Object> list, long index, Object value) {
    if (index == list.size()) {
      list.add(value);
    } else if (index < 0 || index > list.size()) {
      throw new ArrayIndexOutOfBoundsException("a list cannot have holes");
    } else {
      list.set((int) index, value);
    }
  }

  /** Removes an element; those after it move up. */
  public static boolean remove(List<Object> list, long index) {
    boolean isThere = index >= 0 && index < list.size();
    if (isThere) {
      list.remove((int) index);
    }
    return isThere;
  }

  /** How a list of a state is shown. */
  public static Object state(StateList list, GraalViews views) {
    if (list.view() == null) {
      list.setView(new StateArray(list, views));
    }
    return list.view();
  }

  private record StateArray(StateList list, GraalViews views)
      implements ProxyArray, GraalViews.View {
    @Override
    public Object shown() {
      return list;
    }

    @Override
    public Object get(long index) {
      return views.state(list.get((int) index));
    }

    @Override
    public void set(long index, Value value) {
      GraalArrays.set(list, index, GraalValues.stored(value));
    }

    @Override
    public boolean remove(long index) {
      return GraalArrays.remove(list, index);
    }

    @Override
    public long getSize() {
      return list.size();
    }
  }
}
