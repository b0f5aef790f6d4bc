package io.galop.enrich.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What JSON objects and arrays are read into. */
public interface JsonNodes {
  /** Maps and lists of the JDK. */
  JsonNodes PLAIN =
      new JsonNodes() {
        @Override
        public Map<String, @Nullable Object> object() {
          return new LinkedHashMap<>();
        }

        @Override
        public List<@Nullable Object> array() {
          return new ArrayList<>();
        }
      };

  /** An empty one, which keeps its keys in the order in which they come. */
  Map<String, @Nullable Object> object();

  /** An empty one. */
  List<@Nullable Object> array();
}
