package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a verticle throws where it is told of its records, and what it throws that is no Exception.
 */
@Tag("slow")
@Timeout(180)
class ThrowingListenersTest {
  @TempDir Path directory;

  private VerticleNode start(String name, String settings) {
    return VerticleNode.start(
        directory,
        "[{name: '%s', maxInFlightBytes: '65536', settings: %s}]".formatted(name, settings));
  }

  private static List<String> records(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> "{\"topic\":\"in/a\",\"data\":{\"n\":%d}}".formatted(n))
        .toList();
  }

  /** Tells of a record by throwing, alone and beside others that wait for it. */
  public static final class Thrower extends VerticleBase {
    private final GalopApi galop;

    public Thrower(GalopApi galop) {
      this.galop = galop;
    }

    @Override
    public Future<?> start() throws Exception {
      galop.consume("in/#", this::handle);
      return super.start();
    }

    private Future<Void> handle(LiveRecord record) {
      for (String topic : List.of("out/a", "a//b", "out/b")) {
        galop
            .publish(topic, record.getData())
            .onComplete(
                told -> {
                  throw new IllegalStateException("told of " + topic);
                });
      }
      return galop
          .publish("out/last", record.getData())
          .onSuccess(
              told -> {
                throw new IllegalStateException("told of the last");
              });
    }
  }

  @Test
  void aListenerThatThrowsHoldsUpNothing() throws Exception {
    String name = "java:" + Thrower.class.getName();
    try (VerticleNode node = start(name, "{}")) {
      node.publish(records(100));
      assertEquals(100, node.history("out/last", 100).size());
      node.awaitCount(name, "errors", 400);
      assertEquals(300, node.status(name).getLong("published"));
      assertEquals(100, node.status(name).getLong("rejected"));
      assertEquals(0, node.status(name).getLong("inFlightBytes"));
    }
  }

  @Test
  void aRejectionThatNobodyLooksAtHoldsUpNothing() throws Exception {
    Files.writeString(
        directory.resolve("unseen.js"),
        """
        galop.consume('in/#', record => {
          galop.publish('a//b', record.data)
          galop.publish('out/a', record.data)
          galop.publish('b//c', record.data)
          return galop.publish('out/last', record.data)
        })
        """);
    try (VerticleNode node = start("js:unseen.js", "{}")) {
      node.publish(records(100));
      assertEquals(100, node.history("out/last", 100).size());
      node.awaitCount("js:unseen.js", "errors", 1);
      assertEquals(200, node.status("js:unseen.js").getLong("published"));
      assertEquals(200, node.status("js:unseen.js").getLong("rejected"));
      assertEquals(0, node.status("js:unseen.js").getLong("inFlightBytes"));
    }
  }

  /** Asks for more memory than there is, and begins and ends things. */
  public static final class Greedy extends VerticleBase {
    private final NodeGalop galop;

    public Greedy(GalopApi galop) {
      this.galop = (NodeGalop) galop;
    }

    @Override
    public Future<?> start() throws Exception {
      galop.consume("in/#", record -> new long[Integer.MAX_VALUE][0].length);
      galop.every(10, () -> new long[Integer.MAX_VALUE][0].length);
      galop.consume("in/#", this::beginAndEnd);
      return super.start();
    }

    private Future<Void> beginAndEnd(LiveRecord record) {
      for (int i = 0; i < 100; i++) {
        galop.every(3_600_000, () -> null).end();
        galop.consume("none", none -> null).end();
      }
      return galop.publish("out/ongoing", Map.of("count", galop.ongoing()));
    }
  }

  @Test
  void whatIsNoExceptionCostsThatCallOnlyAndWhatIsEndedIsForgotten() throws Exception {
    String name = "java:" + Greedy.class.getName();
    try (VerticleNode node = start(name, "{}")) {
      node.publish(records(3));
      node.awaitCount(name, "ticks", 3);
      node.awaitCount(name, "errors", 6);
      node.publish(records(3));
      node.awaitCount(name, "consumed", 12);
      for (var record : node.history("out/ongoing", 6)) {
        assertEquals(3, record.getJsonObject("data").getInteger("count"), record::encode);
      }
    }
  }
}
