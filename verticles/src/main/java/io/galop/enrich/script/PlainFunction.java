package io.galop.enrich.script;

import org.jspecify.annotations.Nullable;

/** Turns a value of a script's language into one of the host. */
@FunctionalInterface
public interface PlainFunction {
  /** Leaves values as they are. */
  PlainFunction SAME = value -> value;

  /**
   * The value of the host, with all that it holds.
   *
   * @throws ScriptFailure if there is none
   */
  @Nullable Object apply(@Nullable Object value) throws ScriptFailure;
}
