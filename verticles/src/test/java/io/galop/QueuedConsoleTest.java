package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A log that nobody reads holds nobody up. */
@Timeout(60)
class QueuedConsoleTest {
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private final QueuedConsole console = new QueuedConsole();
  private volatile boolean isBroken;
  private volatile CountDownLatch reader = new CountDownLatch(0);

  /** As a pipe that is full until somebody reads. */
  private final class Pipe extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      if (isBroken) {
        isBroken = false;
        throw new NoClassDefFoundError("io/galop/Gone");
      }
      try {
        reader.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      synchronized (read) {
        read.write(bytes, from, length);
      }
    }
  }

  @BeforeEach
  void start() {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%-5level %msg%n");
    encoder.start();
    console.setContext(context);
    console.setName("test");
    console.setEncoder(encoder);
    console.start();
    console.setOutputStream(new Pipe());
  }

  @AfterEach
  void stop() {
    console.stop();
    reader.countDown();
  }

  private void say(String text) {
    var logger = context.getLogger(QueuedConsoleTest.class);
    console.doAppend(new LoggingEvent("", logger, Level.INFO, text, null, null));
  }

  private List<String> lines() {
    synchronized (read) {
      return read.toString(StandardCharsets.UTF_8).lines().toList();
    }
  }

  private void awaitLines(int count) throws InterruptedException {
    while (lines().size() < count) {
      Thread.sleep(5);
    }
  }

  private static Stream<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "INFO  line " + i);
  }

  /** Else the last ones would be missing when the process ends at once. */
  @Test
  void aLineIsWrittenWhenItIsLogged() throws Exception {
    int atOnce = 0;
    for (int i = 0; i < 100; i++) {
      say("line " + i);
      atOnce += lines().size() > i ? 1 : 0;
      awaitLines(i + 1);
    }
    assertTrue(atOnce > 50, atOnce + " of 100"); // the others on a machine that stood still
    assertEquals(numbered(0, 100).toList(), lines());
  }

  @Test
  void linesWaitForTheReaderAndWhoLogsDoesNot() throws Exception {
    reader = new CountDownLatch(1);
    long before = QueuedConsole.leftOut();
    long begin = System.nanoTime();
    for (int i = 0; i < 900; i++) {
      say("line " + i);
    }
    long tookMs = Duration.ofNanos(System.nanoTime() - begin).toMillis();
    assertTrue(tookMs < 900 * 100 / 10, tookMs + " ms"); // only one of them has waited
    assertEquals(List.of(), lines());
    assertTrue(QueuedConsole.waiting() >= 900, QueuedConsole.waiting() + " wait");
    reader.countDown();
    awaitLines(900);
    say("line 900");
    awaitLines(901);
    assertEquals(numbered(0, 901).toList(), lines());
    assertEquals(before, QueuedConsole.leftOut());
  }

  @Test
  void whatIsLeftOutIsCountedAndSaid() throws Exception {
    reader = new CountDownLatch(1);
    long before = QueuedConsole.leftOut();
    int room = QueuedConsole.MOST_LINES + 1; // one is being written
    for (int i = 0; i < room + 7; i++) {
      say("line " + i);
    }
    assertEquals(before + 7, QueuedConsole.leftOut());
    reader.countDown();
    awaitLines(room + 1);
    say("the end");
    awaitLines(room + 2);
    List<String> lines = lines();
    String told = "WARN  7 lines of the log are missing about here: nobody read standard error";
    assertTrue(lines.contains(told), lines::toString);
    assertEquals("INFO  the end", lines.get(lines.size() - 1));
    List<String> others = lines.stream().filter(line -> line.contains("line ")).toList();
    assertEquals(numbered(0, room).toList(), others);
  }

  /** It ends the process otherwise never. */
  @Test
  void itStopsThoughNobodyReads() {
    reader = new CountDownLatch(1);
    int before = QueuedConsole.waiting();
    say("a");
    say("b");
    console.stop();
    assertEquals(List.of(), lines());
    reader.countDown();
    while (QueuedConsole.waiting() > before) {
      Thread.onSpinWait();
    }
    assertEquals(before, QueuedConsole.waiting());
  }

  @Test
  void whatWaitsIsWrittenBeforeTheEndIfSomebodyReads() throws Exception {
    reader = new CountDownLatch(1);
    for (int i = 0; i < 500; i++) {
      say("line " + i);
    }
    new Thread(
            () -> {
              LockSupport.parkNanos(300_000_000);
              reader.countDown();
            })
        .start();
    QueuedConsole.drain(30_000);
    assertEquals(500, lines().size());
  }

  /** As when the jar is replaced under a node. */
  @Test
  void oneLineThatCannotBeWrittenIsNotTheLast() throws Exception {
    isBroken = true;
    say("lost");
    say("line 0");
    awaitLines(1);
    assertEquals(numbered(0, 1).toList(), lines());
  }

  @Test
  void whoIsInterruptedStaysSo() {
    reader = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    say("a");
    assertTrue(Thread.interrupted());
  }
}
