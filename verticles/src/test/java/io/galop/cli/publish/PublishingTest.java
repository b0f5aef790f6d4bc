package io.galop.cli.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.cli.CliFailure;
import io.galop.cli.TestConsole;
import io.galop.cli.input.LineReader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is said of what became of the lines. */
class PublishingTest {
  @Test
  void aDirectoryAsInputIsToldAsSuch() {
    LineReader input =
        new LineReader(
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("Is a directory");
              }
            },
            100);
    Publishing publishing =
        new Publishing(
            new ReadyDoor(), new Publishing.Naming("t", ""), new TestConsole().console());
    CliFailure told = assertThrows(CliFailure.class, () -> publishing.publish(input));
    assertEquals("standard input cannot be read: Is a directory", told.getMessage());
  }

  @Test
  void anInterruptSaysWhatIsAcknowledgedOnce() throws Exception {
    TestConsole console = new TestConsole();
    Publishing publishing =
        new Publishing(new ReadyDoor(), new Publishing.Naming("t", ""), console.console());
    publishing.publish("{}");
    publishing.onInterrupt();
    publishing.onInterrupt();
    publishing.tell();
    assertEquals(List.of("acknowledged 1"), console.outLines());
    assertEquals(1, console.err().lines().filter(line -> line.startsWith("interrupted;")).count());
  }

  /** Takes one record of whatever it is given. */
  private static final class ReadyDoor implements DoorClient {
    @Override
    public CompletableFuture<PublishAnswer> send(String lines) {
      return CompletableFuture.completedFuture(
          PublishAnswer.of(new JsonObject().put("accepted", 1)));
    }

    @Override
    public void close() {}
  }

  @Test
  void anInterruptDoesNotWaitForWhoDoesNotRead() {
    CountDownLatch isRead = new CountDownLatch(1);
    PublishCommand.Interrupt.say(
        () -> {
          try {
            isRead.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        });
    assertEquals(1, isRead.getCount());
    isRead.countDown();
  }
}
