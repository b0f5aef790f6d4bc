package io.galop.enrich.script;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A script in its language, loaded. One thread at a time. */
public interface LoadedScript extends AutoCloseable {
  /** What a record's data is made of, so that it looks natural in the language. */
  default JsonNodes nodes() {
    return JsonNodes.PLAIN;
  }

  /**
   * Runs the script's {@code init}, if it has one.
   *
   * @param settings made of {@link #nodes}
   * @throws ScriptFailure if it throws or takes too long
   */
  void init(Map<String, @Nullable Object> settings) throws ScriptFailure;

  /**
   * Runs the script's {@code enrich}.
   *
   * @param record its data is the call's own to change
   * @param state what the script keeps for the record's topic; settled when this returns or throws
   * @return null, a {@link ScriptRecord}, a map with topic, timeUs and data, or a list of those,
   *     all of the host; {@link ScriptOutputs} checks them
   * @throws ScriptFailure if the script throws or exceeds a limit
   */
  @Nullable Object enrich(ScriptRecord record, StateMap state) throws ScriptFailure;

  /**
   * Says that no record came of the last call, as what it returned breaks a rule: what it kept on
   * the assumption that it passed can be taken back.
   *
   * @param state of the record's topic; settled when this returns
   * @throws ScriptFailure if the state cannot be settled
   */
  default void refused(StateMap state) throws ScriptFailure {}

  /** Whether it can be called again; a limit may have closed it. */
  boolean isUsable();

  @Override
  void close();
}
