package io.galop.persist.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class TableTrimTest {
  private static final long HOUR = 3_600_000;
  private final List<Object> deletedBefore = new ArrayList<>();
  private long serverMs = System.currentTimeMillis();
  private final long oldestMs = serverMs - 30 * HOUR;

  private final SqlLink link =
      new SqlLink() {
        @Override
        public Future<Void> reset() {
          return Future.succeededFuture();
        }

        @Override
        public Future<Long> write(String sql, List<Object> parameters) {
          deletedBefore.add(parameters.get(1));
          return Future.succeededFuture(0L);
        }

        @Override
        public Future<List<Object[]>> ask(String sql, List<Object> parameters) {
          Object[] row = {oldestMs * 1_000, 1L, serverMs};
          return Future.succeededFuture(List.<Object[]>of(row));
        }

        @Override
        public Future<List<Object[]>> read(String sql, List<Object> parameters) {
          return ask(sql, parameters);
        }

        @Override
        public void close() {}
      };

  private final TableTrim trim = new TableTrim(link, 24, "now");

  private void run(LongUnaryOperator clock) throws Exception {
    trim.run(clock).toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void deletesByTheClockThatIsBehind() throws Exception {
    long nowMs = serverMs;
    run(kept -> nowMs + 100 * HOUR);
    assertEquals(List.of((nowMs - 24 * HOUR) * 1_000), deletedBefore, "this node's is ahead");
    deletedBefore.clear();
    serverMs = nowMs + 100 * HOUR;
    run(kept -> nowMs);
    assertEquals(List.of((nowMs - 24 * HOUR) * 1_000), deletedBefore, "the server's is ahead");
    deletedBefore.clear();
    serverMs = nowMs - 10 * HOUR;
    run(kept -> nowMs);
    assertEquals(List.of(), deletedBefore, "the server's is behind");
  }

  @Test
  void saysThatTheClocksAreApart() throws Exception {
    run(kept -> System.currentTimeMillis());
    assertEquals(Optional.empty(), trim.warning());
    serverMs += HOUR;
    run(kept -> System.currentTimeMillis());
    String said = trim.warning().orElseThrow();
    assertTrue(said.startsWith("has another clock than this node"), said);
    serverMs -= HOUR;
    run(kept -> System.currentTimeMillis());
    assertEquals(Optional.empty(), trim.warning());
  }

  @Test
  void aSlowAnswerIsNoOtherClock() {
    assertEquals(Optional.empty(), TableTrim.apart(1_000_000, 1_060_000, 2_000_000));
    assertEquals(Optional.empty(), TableTrim.apart(2_060_000, 1_000_000, 2_000_000));
    assertTrue(TableTrim.apart(999_999, 1_060_000, 2_000_000).isPresent());
    assertTrue(TableTrim.apart(2_060_001, 1_000_000, 2_000_000).isPresent());
  }
}
