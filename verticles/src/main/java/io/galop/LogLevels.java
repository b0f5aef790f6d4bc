package io.galop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.galop.config.LoggingConfig;
import io.galop.node.LiveConfig;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The levels of loggers, as the configuration has them: those that it names, over those of the file
 * of logback, to which each goes back when it is named no more. Of the whole process. Safe to use
 * from any thread.
 */
final class LogLevels implements AutoCloseable {
  /** By name, what each logger had before; null: that of the package around it. */
  private final Map<String, @Nullable Level> before = new HashMap<>();

  /** Takes those of a node, and others when they change. */
  void follow(LiveConfig settings) {
    take(settings.current().logging());
    settings.offer("logging.levels", next -> take(next.logging()));
  }

  /** From now on these count, and no others. */
  synchronized void take(LoggingConfig wanted) {
    before
        .entrySet()
        .removeIf(
            known -> {
              boolean isGone = !wanted.levels().containsKey(known.getKey());
              if (isGone) {
                logger(known.getKey()).setLevel(known.getValue());
              }
              return isGone;
            });
    wanted
        .levels()
        .forEach(
            (name, level) -> {
              Logger logger = logger(name);
              if (!before.containsKey(name)) {
                before.put(name, logger.getLevel());
              }
              logger.setLevel(Level.valueOf(level.name()));
            });
  }

  /** The file of logback is alone again. */
  @Override
  public void close() {
    take(LoggingConfig.none());
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
