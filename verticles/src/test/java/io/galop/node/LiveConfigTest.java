package io.galop.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another configuration is taken by all parts, or by none and asked for again. */
class LiveConfigTest {
  private final GalopConfig before = config("a");
  private final GalopConfig next = config("b");
  private final LiveConfig settings = new LiveConfig(before);
  private final List<String> done = new ArrayList<>();

  private static GalopConfig config(String name) {
    return ConfigLoader.parse("node: {name: " + name + "}", "t");
  }

  private void offer(String name, Runnable preparing, Runnable taking) {
    settings.offerPrepared(
        "node",
        config -> {
          preparing.run();
          return Future.succeededFuture(
              new LiveConfig.Prepared() {
                @Override
                public Future<Void> take() {
                  taking.run();
                  done.add(name + " takes");
                  return Future.succeededFuture();
                }

                @Override
                public void leave() {
                  done.add(name + " leaves");
                }
              });
        });
  }

  private static void fail() {
    throw new IllegalArgumentException("no");
  }

  @Test
  void aPartThatThrowsLeavesNoOtherPrepared() {
    offer("first", () -> {}, () -> {});
    offer("second", LiveConfigTest::fail, () -> {});
    offer("third", () -> {}, () -> {});
    Future<Void> change = settings.change(next, List.of("node.name"));
    assertEquals("no", change.cause().getMessage());
    assertEquals(List.of("first leaves", "third leaves"), done);
    assertSame(before, settings.current());
  }

  @Test
  void whatAPartFailedToTakeIsNotInForce() {
    boolean[] isBroken = {true};
    offer(
        "first",
        () -> {},
        () -> {
          if (isBroken[0]) {
            fail();
          }
        });
    offer("second", () -> {}, () -> {});
    Future<Void> change = settings.change(next, List.of("node.name"));
    assertEquals("no", change.cause().getMessage());
    assertEquals(List.of("second takes"), done);
    assertSame(before, settings.current(), "so that it is taken when it is asked for again");
    assertEquals(List.of("node"), settings.torn());
    isBroken[0] = false;
    assertTrue(settings.change(next, List.of("node.name")).succeeded());
    assertEquals(List.of("second takes", "first takes", "second takes"), done);
    assertSame(next, settings.current());
    assertEquals(List.of(), settings.torn());
  }

  /** Some parts have gone on: the way back is no difference, and asks them all the same. */
  @Test
  void theWayBackAsksThePartsOfAChangeThatOnlySomeTook() {
    boolean[] isBroken = {true};
    offer("first", () -> {}, () -> {});
    offer(
        "second",
        () -> {},
        () -> {
          if (isBroken[0]) {
            fail();
          }
        });
    assertTrue(settings.change(next, List.of("node.name")).failed());
    assertTrue(settings.change(before, List.of()).failed(), "one of them still does not take it");
    isBroken[0] = false;
    done.clear();
    assertTrue(settings.change(before, List.of()).succeeded());
    assertEquals(List.of("first takes", "second takes"), done);
    done.clear();
    assertTrue(settings.change(before, List.of()).succeeded());
    assertEquals(List.of(), done, "all of them have taken it");
  }
}
