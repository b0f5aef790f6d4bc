package io.galop;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps complaints from filling the log: of warnings and errors of one kind the first few of ten
 * seconds are written, then one line says how many more there were. Whoever can make a node
 * complain could else have it write gigabytes, and hide in them. The last resort behind the
 * sources, which should not complain that often. Safe to call from any thread; the table has a
 * bound.
 */
public final class RepeatedLines extends Filter<ILoggingEvent> {
  private static final int WRITTEN = 20;

  /** Of libraries, whose lines name no topic, shard or store. */
  private static final int WRITTEN_OF_OTHERS = 3;

  private static final int PERIOD_SECONDS = 10;
  private static final int MOST_KINDS = 512;
  private static final int KIND_CHARACTERS = 40;
  private static final String SUMMARY = "{} more of this in {} s: {}";

  private static final class Kind {
    private final String logger;
    private final String first;
    private final int written;
    private long count;

    Kind(String logger, String first) {
      this.written = logger.startsWith("io.galop.") ? WRITTEN : WRITTEN_OF_OTHERS;
      this.logger = logger;
      this.first = first;
    }
  }

  private final Map<String, Kind> kinds = new HashMap<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          run -> {
            Thread thread = new Thread(run, "galop-log");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (event.getLevel().toInt() < Level.WARN_INT || SUMMARY.equals(event.getMessage())) {
      return FilterReply.NEUTRAL;
    }
    return isOneTooMany(event) ? FilterReply.DENY : FilterReply.NEUTRAL;
  }

  private synchronized boolean isOneTooMany(ILoggingEvent event) {
    if (kinds.isEmpty()) {
      clock.schedule(this::sum, PERIOD_SECONDS, TimeUnit.SECONDS);
    }
    String name = kind(event);
    Kind kind = kinds.get(name);
    if (kind == null) {
      if (kinds.size() >= MOST_KINDS) {
        name = "others";
      }
      kind =
          kinds.computeIfAbsent(
              name, any -> new Kind(event.getLoggerName(), event.getFormattedMessage()));
    }
    kind.count++;
    return kind.count > kind.written;
  }

  /** Libraries put their texts together themselves, so their beginning tells them apart. */
  private static String kind(ILoggingEvent event) {
    String text = String.valueOf(event.getMessage());
    int most = Math.min(text.length(), KIND_CHARACTERS);
    String thrown =
        event.getThrowableProxy() == null ? "" : event.getThrowableProxy().getClassName();
    return event.getLoggerName() + '|' + thrown + '|' + text.substring(0, most);
  }

  private void sum() {
    Map<String, Kind> over;
    synchronized (this) {
      over = new HashMap<>(kinds);
      kinds.clear();
    }
    for (Kind kind : over.values()) {
      if (kind.count > kind.written) {
        Logger logger = LoggerFactory.getLogger(kind.logger);
        logger.warn(SUMMARY, kind.count - kind.written, PERIOD_SECONDS, kind.first);
      }
    }
  }

  @Override
  public void stop() {
    clock.shutdownNow();
    super.stop();
  }
}
