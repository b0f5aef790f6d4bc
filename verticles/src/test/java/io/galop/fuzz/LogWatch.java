package io.galop.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.galop.ThrownInLog;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/**
 * Whether an input made Galop log an error, or the log show a stack trace. One for the whole
 * process, since nobody can tell whose a line is.
 */
public final class LogWatch {
  private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();
  private static final ThrownInLog THROWN = new ThrownInLog();
  private static boolean watching;

  public LogWatch() {
    watch();
  }

  private static synchronized void watch() {
    if (watching) {
      return;
    }
    watching = true;
    THROWN.start();
    AppenderBase<ILoggingEvent> watch =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            look(event);
          }
        };
    watch.start();
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(watch);
  }

  private static void look(ILoggingEvent event) {
    String thrown = THROWN.convert(event);
    boolean error =
        event.getLevel().isGreaterOrEqual(Level.ERROR)
            && event.getLoggerName().startsWith("io.galop.");
    if (error || thrown.contains("\n\tat ")) {
      FOUND.add(event.getLevel() + " " + event.getFormattedMessage() + "\n" + thrown);
    }
  }

  /** Fails if there was anything since the last look. */
  public void check() {
    String line = FOUND.poll();
    FOUND.clear();
    if (line != null) {
      throw new AssertionError("in the log: " + line);
    }
  }
}
