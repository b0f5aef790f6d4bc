package io.galop.enrich.script.python;

import java.util.Iterator;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyIterator;
import org.jspecify.annotations.Nullable;

/** The entries of a map of the host, as pairs. */
final class PythonEntries {
  private PythonEntries() {}

  /**
   * Goes through a map.
   *
   * @param shown what is shown instead of a value
   */
  static ProxyIterator of(Map<?, ?> map, UnaryOperator<@Nullable Object> shown) {
    Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
    return ProxyIterator.from(
        new Iterator<Object>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Object next() {
            Map.Entry<?, ?> entry = entries.next();
            return ProxyArray.fromArray(entry.getKey(), shown.apply(entry.getValue()));
          }
        });
  }
}
