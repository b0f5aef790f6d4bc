package io.galop.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailedWritesTest {
  /** Does its work and says that it did not, as the one of the clustered bus does. */
  private static final class Forgetful implements Promise<Void> {
    private Throwable failure;

    @Override
    public boolean tryComplete(Void result) {
      return true;
    }

    @Override
    public boolean tryFail(Throwable cause) {
      failure = cause;
      return false;
    }

    @Override
    public Future<Void> future() {
      throw new UnsupportedOperationException();
    }
  }

  /** What Vert.x throws then, as if these had called it. */
  private static IllegalStateException thrown(String... callers) {
    Forgetful promise = new Forgetful();
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> promise.fail("closed"));
    assertEquals("closed", promise.failure.getMessage());
    StackTraceElement[] by =
        Stream.of(callers)
            .map(name -> new StackTraceElement(name, "method", "File.java", 1))
            .toArray(StackTraceElement[]::new);
    StackTraceElement top = thrown.getStackTrace()[0];
    thrown.setStackTrace(
        Stream.concat(Stream.of(top), Stream.of(by)).toArray(StackTraceElement[]::new));
    return thrown;
  }

  @Test
  void knowsWhatAFailedWriteThrowsFromWhatSomebodyDoesTwice() {
    String written = "io.vertx.core.net.impl.DelegatingChannelPromise";
    String bus = "io.vertx.core.eventbus.impl.clustered.OutboundConnection";
    String sender = "io.galop.bus.Requests";
    assertTrue(FailedWrites.isOne(thrown("io.vertx.core.impl.future.FutureBase", written)));
    assertTrue(FailedWrites.isOne(thrown("io.vertx.core.impl.future.FutureBase", bus, sender)));
    assertFalse(FailedWrites.isOne(thrown("io.vertx.core.impl.future.FutureBase", sender, bus)));
    assertFalse(FailedWrites.isOne(thrown("io.galop.persist.Replication", written)));
    assertFalse(FailedWrites.isOne(thrown("io.vertx.core.impl.future.FutureBase")));
    assertFalse(FailedWrites.isOne(new IllegalStateException("something else")));
    assertFalse(FailedWrites.isOne(new NullPointerException("Promise already completed")));
  }
}
