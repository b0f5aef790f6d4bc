package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a log says of somebody who makes a node complain. */
class RepeatedLinesTest {
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

  private LoggingEvent event(String logger, Level level, String text, Throwable thrown) {
    return new LoggingEvent("", context.getLogger(logger), level, text, thrown, null);
  }

  @Test
  void onlyTheFirstOfManyAreWrittenOfEachKind() {
    RepeatedLines lines = new RepeatedLines();
    int library = 0;
    int own = 0;
    for (int i = 0; i < 1_000; i++) {
      library += written(lines, event("io.vertx.x", Level.ERROR, "bad input", null));
      own += written(lines, event("io.galop.x", Level.WARN, "shard {} is full", null));
      assertEquals(1, written(lines, event("io.galop.x", Level.INFO, "shard {} is full", null)));
    }
    assertEquals(3, library);
    assertEquals(20, own);
    assertEquals(1, written(lines, event("io.galop.x", Level.WARN, "something else", null)));
    lines.stop();
  }

  @Test
  void aLibraryDoesNotRepeatWhatADeadLetterSays() {
    String patterns = "com.networknt.schema.keyword.PatternValidator";
    assertFalse(context.getLogger(patterns).isErrorEnabled());
    assertTrue(context.getLogger("com.networknt").isErrorEnabled());
  }

  private static int written(RepeatedLines lines, LoggingEvent event) {
    return lines.decide(event) == FilterReply.DENY ? 0 : 1;
  }

  @Test
  void theTextOfAnExceptionBeginsNoLine() {
    String forged = "bad\n2026-01-01 ERROR forged\u001b[2J\u2028x";
    String library = said(new IllegalStateException(forged), "java.");
    assertFalse(library.trim().contains("\n"), library);
    assertFalse(library.contains("\u001b") || library.contains("\u2028"), library);
    String ours = said(new IllegalStateException(forged), "io.galop.");
    assertTrue(ours.contains("\n\tat io.galop."), ours);
    assertTrue(ours.lines().noneMatch(line -> line.startsWith("2026")), ours);
  }

  private String said(Throwable thrown, String by) {
    StackTraceElement frame = new StackTraceElement(by + "Some", "method", "Some.java", 1);
    thrown.setStackTrace(new StackTraceElement[] {frame});
    ThrownInLog converter = new ThrownInLog();
    converter.setContext(context);
    converter.start();
    return converter.convert(event("io.vertx.x", Level.ERROR, "failed", thrown));
  }
}
