package io.galop.persist.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.RedisConfig;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What is too old is judged by the time that the store is given, not by the machine's. */
class RedisRetentionTest {
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long MONTH_MS = 30 * 24 * HOUR_MS;
  private final long machineMs = System.currentTimeMillis();
  private long storedMs = machineMs;
  private boolean isDeleted;

  /** A server with one record. */
  private final RedisLink link =
      new RedisLink() {
        @Override
        public Future<Void> reset() {
          return Future.succeededFuture();
        }

        @Override
        public Future<List<RedisReply>> write(List<RedisCommand> commands) {
          return Future.succeededFuture(commands.stream().map(each -> answer(each)).toList());
        }

        @Override
        public Future<List<RedisReply>> read(List<RedisCommand> commands) {
          return write(commands);
        }

        @Override
        public void close() {}
      };

  private RedisReply answer(RedisCommand command) {
    return switch (command.name()) {
      case "HGET", "INFO" -> text("");
      case "ZRANGEBYSCORE" -> old(command);
      case "ZREM", "HDEL" -> {
        isDeleted = true;
        yield new RedisReply(1L);
      }
      default -> new RedisReply(1L);
    };
  }

  private RedisReply old(RedisCommand command) {
    String before = new String(command.arguments().get(2), StandardCharsets.US_ASCII);
    assertTrue(before.startsWith("("), before);
    boolean isOld = storedMs < Long.parseLong(before.substring(1));
    return new RedisReply(isOld ? List.of(text("id\tt")) : List.of());
  }

  private static RedisReply text(String text) {
    return new RedisReply(text.getBytes(StandardCharsets.UTF_8));
  }

  private void trim(LongUnaryOperator clock) throws Exception {
    String set = "persist.backup={redis: {maxAgeMs: %d}}".formatted(2 * HOUR_MS);
    RedisConfig config =
        (RedisConfig)
            ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
                .persist()
                .backup()
                .orElseThrow();
    try (RedisStore store = new RedisStore(link, config, 1)) {
      LongUnaryOperator asked =
          kept -> {
            assertEquals(2 * HOUR_MS, kept);
            return clock.applyAsLong(kept);
          };
      store.trim(asked).toCompletionStage().toCompletableFuture().get();
    }
  }

  @Test
  void keepsWhatIsOldByTheMachineOnly() throws Exception {
    storedMs = machineMs - 3 * HOUR_MS;
    trim(kept -> machineMs - MONTH_MS);
    assertFalse(isDeleted);
    trim(kept -> storedMs + kept);
    assertFalse(isDeleted, "to the millisecond");
    trim(kept -> storedMs + kept + 1);
    assertTrue(isDeleted);
  }

  @Test
  void deletesWhatIsYoungByTheMachineOnly() throws Exception {
    trim(kept -> machineMs + 3 * HOUR_MS);
    assertTrue(isDeleted);
  }
}
