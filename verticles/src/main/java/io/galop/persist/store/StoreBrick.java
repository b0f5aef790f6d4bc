package io.galop.persist.store;

import io.galop.config.persist.StoreConfig;
import java.util.List;

/**
 * A kind of store that an add-on brings, found by {@link java.util.ServiceLoader}. Its
 * configuration is Galop's, so that it is checked and documented with the rest.
 */
public interface StoreBrick {
  /** Whether a store of this kind is meant. */
  boolean makes(StoreConfig config);

  /** Makes one, not connected yet; only of what {@link #makes} allows. */
  Store open(StoreConfig config);

  /** What is wrong with its files and properties, each the end of a dotted path; blocks. */
  List<String> problems(StoreConfig config);
}
