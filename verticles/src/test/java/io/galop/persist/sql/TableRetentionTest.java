package io.galop.persist.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What is too old in a table is judged by the time that its store is given. */
public abstract class TableRetentionTest {
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long MONTH_MS = 30 * 24 * HOUR_MS;
  private final long machineMs = System.currentTimeMillis();
  private final OneRowLink link = new OneRowLink(machineMs);

  /** The word of the store in the configuration. */
  protected abstract String brick();

  /** A store that was not opened. */
  protected abstract Store store(SqlLink link, StoreConfig config);

  /** Returns what the store warns of. */
  private Optional<String> trim(LongUnaryOperator clock) throws Exception {
    String set = "persist.cold.stores=[{%s: {retentionHours: 2}}]".formatted(brick());
    StoreConfig config =
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
    try (Store store = store(link, config)) {
      LongUnaryOperator asked =
          kept -> {
            assertEquals(2 * HOUR_MS, kept);
            return clock.applyAsLong(kept);
          };
      store.trim(asked).toCompletionStage().toCompletableFuture().get();
      return store.warning();
    }
  }

  @Test
  void keepsWhatIsOldByTheMachineOnly() throws Exception {
    link.storedMs = machineMs - 3 * HOUR_MS;
    assertEquals(Optional.empty(), trim(kept -> machineMs - MONTH_MS));
    assertTrue(link.deletedBefore.isEmpty());
    trim(kept -> link.storedMs + kept);
    assertTrue(link.deletedBefore.isEmpty(), "to the millisecond");
    trim(kept -> link.storedMs + kept + 1);
    assertEquals(List.of((link.storedMs + 1) * 1_000), link.deletedBefore);
  }

  @Test
  void deletesWhatIsYoungByTheMachineOnly() throws Exception {
    link.serverMs = machineMs + MONTH_MS;
    trim(kept -> machineMs + 3 * HOUR_MS);
    assertEquals(List.of((machineMs + HOUR_MS) * 1_000), link.deletedBefore);
  }

  @Test
  void warnsOfAFirstRowOfTheFuture() throws Exception {
    link.storedMs = machineMs + HOUR_MS;
    assertTrue(trim(kept -> machineMs).orElseThrow().startsWith("keeps old records"));
  }
}
