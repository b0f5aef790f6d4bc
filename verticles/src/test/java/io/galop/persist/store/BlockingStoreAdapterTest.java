package io.galop.persist.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.Logged;
import io.galop.config.persist.SinkConfig.Driver;
import io.galop.record.TopicFilter;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class BlockingStoreAdapterTest {
  private static final ColdQuery QUERY =
      new ColdQuery(TopicFilter.parse("#", 100), 0, 1, 1, 1, false, Optional.empty());

  private static BlockingStore failing(Exception failure) {
    return (BlockingStore)
        Proxy.newProxyInstance(
            BlockingStore.class.getClassLoader(),
            new Class<?>[] {BlockingStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("query")) {
                throw failure;
              }
              return null;
            });
  }

  /** What is logged, behind the message: that of a stack trace, if there is one. */
  private static String logged(Exception failure) throws Exception {
    BlockingStoreAdapter store =
        new BlockingStoreAdapter("some", failing(failure), Driver.SYNC, 1, 1, 1);
    try (Logged logged = new Logged(BlockingStoreAdapter.class)) {
      assertThrows(
          ExecutionException.class,
          () ->
              store
                  .query(QUERY)
                  .toCompletionStage()
                  .toCompletableFuture()
                  .get(30, TimeUnit.SECONDS));
      List<String> lines = logged.with("");
      assertEquals(1, lines.size(), lines.toString());
      return lines.get(0).replace("WARN a query of the store some failed: ", "");
    } finally {
      store.close();
    }
  }

  @Test
  void whatAClientCanCauseAtWillHasNoStackTraceInTheLog() throws Exception {
    String type = "java.lang.IllegalArgumentException: ";
    assertEquals(type + "too wide", logged(new IllegalArgumentException("too wide")));
    assertEquals(TimeoutException.class.getName(), logged(new TimeoutException()));
    assertEquals("the disk is gone", logged(new IOException("the disk is gone")), "has one");
  }

  @Test
  void whatADatabaseAnswersHasNoStackTraceInTheLog() throws Exception {
    assertEquals(
        "WARN the database of the store some does not answer a query: malformed",
        logged(new SQLException("malformed")));
  }
}
