package io.galop.cli.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.CliFailure;
import io.galop.cli.TestConsole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the bridges that are lost, and of those that cannot be reached. */
@Timeout(60)
class SteadyBridgeTest {
  /** One whose connection ends when it is told to. */
  private static final class Breaking implements DoorClient {
    private final List<CompletableFuture<PublishAnswer>> answers = new ArrayList<>();
    private boolean isClosed;

    @Override
    public CompletableFuture<PublishAnswer> send(String lines) {
      answers.add(new CompletableFuture<>());
      return answers.get(answers.size() - 1);
    }

    void lose() {
      answers.get(0).completeExceptionally(new SteadyBridge.Lost("it broke"));
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private final Breaking first = new Breaking();
  private int opened;

  private SteadyBridge bridge(SteadyBridge.Way next) throws IOException {
    return new SteadyBridge(
        () -> opened++ == 0 ? first : next.open(), 1, new TestConsole().console());
  }

  /** As when a certificate is being replaced: no reason to wait for ever. */
  @Test
  void whateverKeepsItAwayItIsGivenUpInTime() throws Exception {
    try (SteadyBridge bridge =
        bridge(
            () -> {
              throw CliFailure.usage("cannot read ca.pem");
            })) {
      CompletableFuture<PublishAnswer> answer = bridge.send("{}");
      first.lose();
      ExecutionException given =
          assertThrows(ExecutionException.class, () -> answer.get(30, TimeUnit.SECONDS));
      SteadyBridge.Lost lost = assertInstanceOf(SteadyBridge.Lost.class, given.getCause());
      assertTrue(String.valueOf(lost.getMessage()).contains("cannot read ca.pem"));
    }
  }

  @Test
  void theConnectionThatWasLostIsClosedBeforeTheNext() throws Exception {
    Breaking second = new Breaking();
    try (SteadyBridge bridge = bridge(() -> second)) {
      bridge.send("{}");
      first.lose();
      for (int i = 0; i < 1_000 && second.answers.isEmpty(); i++) {
        Thread.sleep(20);
      }
      assertTrue(first.isClosed);
      assertEquals(1, second.answers.size(), "it is sent again");
    }
  }
}
