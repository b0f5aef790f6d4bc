package io.galop.persist.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.node.Reports;
import io.galop.persist.store.Store;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoreReportTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  /** One that only takes records; whatever else is called fails. */
  private static Store writtenOnly() {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("isAsked")) {
                return false;
              }
              throw new AssertionError(method.getName() + " is called");
            });
  }

  @Test
  void aStoreThatAnswersNoQueriesIsNamedAndNotAsked() {
    Reports reports = new Reports();
    new StoreReport(vertx, reports).add("archive", writtenOnly(), null, null);
    Map<String, String> question =
        Map.of("topic", "t", "id", "x", "fromUs", "0", "toUs", "9000000");
    Promise<JsonObject> answered = Promise.promise();
    Context loop = vertx.getOrCreateContext();
    loop.runOnContext(
        start ->
            reports
                .find("explain/search")
                .map(search -> search.answer(question))
                .orElseGet(() -> Future.failedFuture("nobody answers"))
                .onComplete(answered));
    JsonObject store =
        new JsonObject().put("store", "archive").put("why", "it is not asked: it is written only");
    assertEquals(new JsonArray().add(store), answered.future().await().getJsonArray("stores"));
  }
}
