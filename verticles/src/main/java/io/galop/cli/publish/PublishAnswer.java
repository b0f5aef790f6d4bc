package io.galop.cli.publish;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What the bus door says of a batch of lines.
 *
 * @param accepted how many are acknowledged
 * @param rejected the others
 * @param more how many others were refused that are not listed
 * @param error why none was looked into, or empty
 * @param retryAfterMs when to send again what a quota has refused; 0 if none has, or it is not said
 */
record PublishAnswer(
    int accepted, List<Refused> rejected, int more, String error, long retryAfterMs) {

  /**
   * A line that was refused.
   *
   * @param line its number in the batch, from 1
   * @param reason a stable word
   * @param detail what to do about it, or empty
   */
  record Refused(int line, String reason, String detail) {}

  /**
   * Reads the door's answer, {@code {"accepted":n,"rejected":[{"line":k,"reason":"…"}]}}, with
   * {@code "more":m}, {@code "error":"…"} or {@code "retryAfterMs":ms}.
   */
  static PublishAnswer of(JsonObject answer) {
    JsonArray rejected = answer.getJsonArray("rejected", new JsonArray());
    return new PublishAnswer(
        answer.getInteger("accepted", 0),
        rejected.stream().map(one -> refused((JsonObject) one)).toList(),
        answer.getInteger("more", 0),
        answer.getString("error", ""),
        answer.getLong("retryAfterMs", 0L));
  }

  private static Refused refused(JsonObject one) {
    return new Refused(
        one.getInteger("line", 0), one.getString("reason", ""), one.getString("detail", ""));
  }
}
