package io.galop.extend.js;

import io.galop.extend.GalopApi;
import io.galop.extend.GalopApi.Ongoing;
import io.galop.extend.NotPublished;
import io.vertx.core.json.JsonObject;
import org.graalvm.polyglot.Value;
import org.slf4j.Logger;

/**
 * What {@link JsBootstrap} calls. Data cross as JSON text in between, which the door reads in any
 * case: what the script sees are objects of its own.
 */
public final class JsHost {
  private final GalopApi galop;

  JsHost(GalopApi galop) {
    this.galop = galop;
  }

  public void publish(
      String topic, String data, String id, Long timeUs, Value resolve, Value reject) {
    galop
        .publishJson(topic, data, id, timeUs)
        .onComplete(
            (taken, failure) -> {
              if (failure == null) {
                resolve.executeVoid();
              } else if (failure instanceof NotPublished why) {
                reject.executeVoid(why.getReason(), why.getMessage(), why.getId());
              } else {
                reject.executeVoid("unavailable", String.valueOf(failure.getMessage()), id);
              }
            });
  }

  public Ongoing consume(String filter, Value handler, Value onMissed) {
    return galop.consume(
        filter,
        record ->
            JsPromise.future(
                handler.execute(
                    record.getId(), record.getTopic(), record.getTimeUs(), record.getJson())),
        why -> onMissed.executeVoid(why));
  }

  public Ongoing every(long ms, Value handler) {
    return galop.every(ms, () -> JsPromise.future(handler.execute()));
  }

  public String settings() {
    return new JsonObject(galop.getSettings()).encode();
  }

  public int instance() {
    return galop.getInstance();
  }

  public int instances() {
    return galop.getInstances();
  }

  public void log(String level, String text) {
    Logger log = galop.getLog();
    switch (level) {
      case "debug" -> log.debug("{}", text);
      case "warn" -> log.warn("{}", text);
      case "error" -> log.error("{}", text);
      default -> log.info("{}", text);
    }
  }
}
