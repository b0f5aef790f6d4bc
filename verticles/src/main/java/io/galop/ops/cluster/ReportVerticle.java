package io.galop.ops.cluster;

import io.galop.bus.Refusal;
import io.galop.bus.Refusal.Why;
import io.galop.jvm.ErrorText;
import io.galop.node.Node;
import io.galop.node.Reports;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * Answers other nodes that ask for the reports which this node shares, so many at once, each within
 * some seconds: one that never comes keeps no place. Encodes them on a worker thread.
 */
public final class ReportVerticle extends VerticleBase {
  static final int MOST_UNDER_WAY = 16;

  /** Longer than anybody waits for an answer. */
  private static final long MOST_MS = 10_000;

  private final Node node;
  private final long mostMs;
  private int underWay;

  public ReportVerticle(Node node) {
    this(node, MOST_MS);
  }

  /**
   * @param mostMs after so long nothing is awaited any more
   */
  ReportVerticle(Node node, long mostMs) {
    this.node = node;
    this.mostMs = mostMs;
  }

  @Override
  public Future<?> start() {
    return node.bus().operators().onReport(this::answer).completion();
  }

  private Future<Buffer> answer(JsonObject question) {
    String name = question.getString("report", "");
    Reports.Report report =
        node.reports()
            .findShared(name)
            .orElseThrow(() -> new Refusal(Why.NOT_READY, "it has no report " + name));
    if (underWay >= MOST_UNDER_WAY) {
      return Future.failedFuture(
          new Refusal(Why.BUSY, MOST_UNDER_WAY + " reports are being made already"));
    }
    Map<String, String> parameters = new HashMap<>();
    question
        .getJsonObject("parameters", new JsonObject())
        .forEach(one -> parameters.put(one.getKey(), String.valueOf(one.getValue())));
    underWay++;
    return made(name, report, parameters)
        .compose(json -> vertx.executeBlocking(json::toBuffer, false))
        .onComplete(done -> underWay--);
  }

  private static Future<JsonObject> refused(Throwable failure) {
    return Future.failedFuture(
        failure instanceof IllegalArgumentException
            ? new Refusal(Why.BAD_REQUEST, ErrorText.of(failure))
            : failure);
  }

  private Future<JsonObject> made(
      String name, Reports.Report report, Map<String, String> parameters) {
    Future<JsonObject> made =
        Future.succeededFuture(parameters).compose(report::answer).recover(ReportVerticle::refused);
    return Loop.of(context).within(mostMs, "the report " + name, made);
  }
}
