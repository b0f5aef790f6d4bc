package io.galop.broadcast.write;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Whose an outbox is, for operators. On its event loop, but for {@link #id}. */
public final class Whose {
  /** The first is of the time of the start, so that no id means another after a restart. */
  private static final AtomicLong LATEST = new AtomicLong(System.currentTimeMillis() << 12);

  private final long number = LATEST.incrementAndGet();
  private Supplier<String> subject = () -> "";

  /** Of this connection alone, for as long as anybody can remember. */
  public String id() {
    return Long.toString(number, Character.MAX_RADIX);
  }

  /** From now on this says whom the viewer's token names. */
  public void named(Supplier<String> by) {
    subject = by;
  }

  /** Whom the viewer's token names; empty: nobody. */
  public String subject() {
    return subject.get();
  }
}
