package io.galop;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a class logs meanwhile. */
public final class Logged implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          IThrowableProxy thrown = event.getThrowableProxy();
          String cause = thrown == null ? "" : ": " + thrown.getMessage();
          lines.add(event.getLevel() + " " + event.getFormattedMessage() + cause);
        }
      };

  public Logged(Class<?> by) {
    this(by.getName());
  }

  /** What all classes below a name log meanwhile. */
  public Logged(String below) {
    logger = (Logger) LoggerFactory.getLogger(below);
    appender.start();
    logger.addAppender(appender);
  }

  /**
   * Each with its level and the message of what was thrown, as in {@code WARN the disk is full: no
   * space}, that has a text in it.
   */
  public List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
