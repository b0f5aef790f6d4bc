package io.galop.cli.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.cli.TestConsole;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is said of what became of the lines. */
class PublishingTest {
  @Test
  void anInterruptSaysWhatIsAcknowledgedOnce() throws Exception {
    TestConsole console = new TestConsole();
    DoorClient door =
        new DoorClient() {
          @Override
          public CompletableFuture<PublishAnswer> send(String lines) {
            return CompletableFuture.completedFuture(
                PublishAnswer.of(new JsonObject().put("accepted", 1)));
          }

          @Override
          public void close() {}
        };
    Publishing publishing = new Publishing(door, new Publishing.Naming("t", ""), console.console());
    publishing.publish("{}");
    publishing.onInterrupt();
    publishing.onInterrupt();
    publishing.tell();
    assertEquals(List.of("acknowledged 1"), console.outLines());
    assertEquals(1, console.err().lines().filter(line -> line.startsWith("interrupted;")).count());
  }
}
