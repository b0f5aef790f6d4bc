package io.galop.persist.log;

import io.galop.persist.log.file.LogPosition;
import java.util.function.Consumer;

/**
 * How far a reader that must see everything has come. While it is open no segment that it has not
 * passed is freed.
 */
public final class LogCursor implements AutoCloseable {
  private final String name;
  private final Consumer<LogCursor> onClose;
  private volatile LogPosition position;

  LogCursor(String name, LogPosition position, Consumer<LogCursor> onClose) {
    this.name = name;
    this.position = position;
    this.onClose = onClose;
  }

  /** Whose cursor it is. */
  public String name() {
    return name;
  }

  /** How far the reader has come. */
  public LogPosition position() {
    return position;
  }

  /** What lies before {@code next} is safe elsewhere. */
  public void advance(LogPosition next) {
    position = next;
  }

  /** The reader no longer needs anything. */
  @Override
  public void close() {
    onClose.accept(this);
  }
}
