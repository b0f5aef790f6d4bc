package io.galop.persist.store;

import io.galop.persist.log.file.LogPosition;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * A {@link Store} whose driver blocks; {@link BlockingStoreAdapter} gives it threads. Each method
 * does what the one of {@link Store} with its name does. {@link #write} and {@link #query} are
 * called by several threads at once.
 */
public interface BlockingStore extends AutoCloseable {
  Optional<LogPosition> open(long log) throws Exception;

  int write(StoreBatch parcel) throws Exception;

  default boolean keepsCursor() {
    return false;
  }

  void saveCursor(long log, LogPosition upTo) throws Exception;

  boolean trim(LongUnaryOperator clock) throws Exception;

  default Optional<String> warning() {
    return Optional.empty();
  }

  default boolean isAsked() {
    return true;
  }

  ColdPage query(ColdQuery query) throws Exception;

  default void stopping() {}

  @Override
  void close();
}
