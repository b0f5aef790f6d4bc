package io.galop.enrich.script;

import io.galop.config.ScriptConfig;
import io.galop.record.Record;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A script that is started again when a limit has closed it: what it remembered is gone then, and
 * its init has run once more. One thread at a time.
 */
public final class Script implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Script.class);

  private final ScriptFile file;
  private final ScriptConfig config;
  private final int maxTopicBytes;
  private final ScriptWatchdog watchdog;
  private ScriptContext context;

  private Script(ScriptFile file, ScriptConfig config, int maxTopicBytes) throws ScriptFailure {
    this.file = file;
    this.config = config;
    this.maxTopicBytes = maxTopicBytes;
    this.watchdog = new ScriptWatchdog(file.name(), config.timeLimitMs());
    try {
      this.context = ScriptContext.open(file, config, maxTopicBytes, watchdog);
    } catch (ScriptFailure e) {
      watchdog.close();
      throw e;
    }
  }

  /**
   * Finds, loads and initialises a script; takes a second for the first of the process.
   *
   * @throws IllegalArgumentException saying what is wrong with the script, where, and what to do
   */
  public static Script open(ScriptConfig config, String directory, int maxTopicBytes) {
    try {
      return new Script(ScriptFile.find(directory, config.file()), config, maxTopicBytes);
    } catch (ScriptFailure e) {
      throw new IllegalArgumentException(
          "script " + config.file() + " cannot be started: " + e.getMessage(), e);
    }
  }

  /**
   * Runs the script on a record.
   *
   * @throws ScriptFailure if no records came of it; the next record has its chance all the same
   */
  public List<Record> call(Record record) throws ScriptFailure {
    if (!context.isUsable()) {
      context.close();
      LOG.warn("script {} is started again after a limit had closed it", file.name());
      context = ScriptContext.open(file, config, maxTopicBytes, watchdog);
    }
    return context.call(record);
  }

  @Override
  public void close() {
    watchdog.close();
    context.close();
  }
}
