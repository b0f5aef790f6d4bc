package io.galop.enrich.script;

import io.galop.config.enrich.ScriptConfig;
import io.galop.guest.SourceFile;
import io.galop.record.Record;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A script in any language, which is started again when a limit has closed it: its variables are
 * gone then, and its init has run once more; what it keeps for each topic stays. One thread at a
 * time.
 */
public final class Script implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Script.class);

  private final SourceFile file;
  private final ScriptConfig config;
  private final TopicStates states;
  private final ScriptOutputs outputs;
  private final ScriptWatchdog watchdog;
  private LoadedScript loaded;

  private Script(SourceFile file, ScriptConfig config, int maxTopicBytes, TopicStates states)
      throws ScriptFailure {
    this.file = file;
    this.config = config;
    this.states = states;
    this.outputs = new ScriptOutputs(config, maxTopicBytes);
    this.watchdog =
        new ScriptWatchdog(file.name(), config.timeLimitMs(), config.maxAllocatedBytes());
    try {
      this.loaded = load();
    } catch (Throwable e) { // its thread would look on for ever
      watchdog.close();
      throw e;
    }
  }

  /**
   * Finds, loads and initialises a script; takes a second for the first of the process, and some
   * more in other languages than JavaScript.
   *
   * @param directory where it is looked for first
   * @param maxTopicBytes longest topic that the script may name
   * @param states what is kept for each topic, empty or from the script before
   * @throws IllegalArgumentException saying what is wrong with the script, where, and what to do
   */
  public static Script open(
      ScriptConfig config, String directory, int maxTopicBytes, TopicStates states) {
    return open(SourceFile.find(directory, config.file()), config, maxTopicBytes, states);
  }

  /**
   * The same with a text that was found already.
   *
   * @throws IllegalArgumentException saying what is wrong with the script, where, and what to do
   */
  public static Script open(
      SourceFile file, ScriptConfig config, int maxTopicBytes, TopicStates states) {
    try {
      return new Script(file, config, maxTopicBytes, states);
    } catch (ScriptFailure e) {
      throw new IllegalArgumentException(
          "script " + config.file() + " cannot be started: " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException | Error e) { // such as a compiler's AssertionError
      LOG.error("script {} cannot be started", config.file(), e);
      throw new IllegalArgumentException(
          "script " + config.file() + " cannot be started: loading it broke off: " + e, e);
    }
  }

  private LoadedScript load() throws ScriptFailure {
    LoadedScript opened = ScriptLanguages.of(file.name()).load(file, config, watchdog);
    try {
      opened.init(ScriptSettings.read(config.settings(), opened.nodes()));
      return opened;
    } catch (Throwable e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Runs the script on a record.
   *
   * @throws ScriptFailure if no records came of it; the next record has its chance all the same
   */
  public List<Record> call(Record record) throws ScriptFailure {
    if (!loaded.isUsable()) {
      LOG.warn("script {} is reloaded after a limit ended it", file.name());
      loaded = load();
    }
    var data = PlainJson.read(record.data(), loaded.nodes());
    ScriptRecord given = new ScriptRecord(record.id(), record.topic(), record.timeUs(), data);
    List<Record> made;
    long tooLarge;
    try {
      made = made(record, given, states.of(record.topic()));
    } finally {
      tooLarge = states.settle(record.topic());
      // Not later nor elsewhere: until then this thread's next call, of any script, ends as this.
      if (!loaded.isUsable()) {
        loaded.close();
      }
    }
    if (tooLarge > 0) {
      throw new ScriptFailure(
          "the state of topic '%s' takes %d bytes, more than the %d that one topic may keep (maxTopicStateBytes, enrich.maxStateBytes): it is forgotten and begins again"
              .formatted(record.topic(), tooLarge, states.maxTopicBytes()));
    }
    return made;
  }

  private List<Record> made(Record raw, ScriptRecord given, StateMap state) throws ScriptFailure {
    Object returned = loaded.enrich(given, state);
    try {
      return outputs.read(raw, returned);
    } catch (ScriptFailure e) {
      loaded.refused(state);
      throw e;
    }
  }

  /** What is kept for each topic. */
  public TopicStates states() {
    return states;
  }

  @Override
  public void close() {
    watchdog.close();
    loaded.close();
  }
}
