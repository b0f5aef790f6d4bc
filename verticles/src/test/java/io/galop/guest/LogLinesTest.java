package io.galop.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogLinesTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.galop.test.LogLines");
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final LogLines lines = new LogLines(logger, "rule.js: ", 10, 3);

  @BeforeEach
  void listen() {
    written.start();
    logger.setAdditive(false);
    logger.addAppender(written);
  }

  @AfterEach
  void end() {
    logger.detachAppender(written);
  }

  private void print(String text) throws Exception {
    lines.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> messages() {
    return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void linesAreWholeBoundedAndWithoutControlCharacters() throws Exception {
    print("on");
    print("e\ntw\to\r\n");
    print("more than ten bytes\nnot ended");
    assertEquals(List.of("rule.js: one", "rule.js: tw o ", "rule.js: more than "), messages());
  }

  @Test
  void whatIsTooMuchIsSaidAtOnceAndCounted() throws Exception {
    print("a\nb\nc\nd\ne\n");
    assertTrue(messages().size() >= 4, messages()::toString);
    assertEquals(
        "rule.js: prints more than 3 lines a second; others are left out", messages().get(3));
    Thread.sleep(1_100);
    print("f\n");
    assertEquals(
        List.of("rule.js: 2 lines were left out", "rule.js: f"),
        messages().subList(messages().size() - 2, messages().size()));
  }
}
