package io.galop.loadtest.experiments.notifier;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * A system that only answers when asked, and slowly: the state of some items as JSON, which changes
 * at regular times. {@code /count} says how often it was asked.
 */
@Command(name = "slow-back-end", hidden = true)
public final class BackEnd implements Callable<Integer> {
  static final String COUNT = "/count";

  @Parameters(index = "0")
  private int port;

  @Parameters(index = "1")
  private long delayMs;

  @Parameters(index = "2")
  private long changeMs;

  @Parameters(index = "3")
  private int items;

  private final long startNanos = System.nanoTime();
  private long asked;

  @Override
  public Integer call() throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    vertx
        .createHttpServer()
        .requestHandler(
            request -> {
              if (request.path().equals(COUNT)) {
                request.response().end("" + asked);
              } else {
                asked++;
                vertx.setTimer(delayMs, due -> request.response().end(state()));
              }
            })
        .listen(port, "127.0.0.1");
    new CountDownLatch(1).await();
    return 0;
  }

  /** All items, each with the number of the last change and when that was. */
  private String state() {
    long changeNanos = TimeUnit.MILLISECONDS.toNanos(changeMs);
    long change = (System.nanoTime() - startNanos) / changeNanos;
    long at = startNanos + change * changeNanos;
    JsonArray all = new JsonArray();
    for (int i = 0; i < items; i++) {
      all.add(
          new JsonObject()
              .put("id", "item-" + i)
              .put("galopStamp", change + "." + at)
              .put("price", change * items + i));
    }
    return new JsonObject().put("items", all).encode();
  }
}
