package io.galop.ingest.intake;

import io.galop.record.Reason;
import io.vertx.core.json.JsonObject;

/** What became of a request, in the words that the http and the bus door share. */
public final class DoorAnswer {
  private DoorAnswer() {}

  /**
   * {@code {"accepted":n,"rejected":[{"line":k,"reason":"…","detail":"…"}]}}, and {@code "more"},
   * how many were rejected that are not listed, if there are any.
   */
  public static JsonObject of(int accepted, Rejections rejections) {
    JsonObject answer =
        new JsonObject().put("accepted", accepted).put("rejected", rejections.toJson());
    int more = rejections.count() - rejections.listed().size();
    return more > 0 ? answer.put("more", more) : answer;
  }

  /** The same, with {@code "retryAfterMs"} where something was over a publisher's quota. */
  public static JsonObject of(Submission done) {
    JsonObject answer = of(done.acknowledged(), done.rejections());
    return done.retryAfterMs() > 0 ? answer.put("retryAfterMs", done.retryAfterMs()) : answer;
  }

  /** The same for a request that was not looked into; {@code error} says why. */
  public static JsonObject refusal(String error) {
    return of(0, new Rejections()).put("error", error);
  }

  /**
   * The HTTP status: 202 if anything was accepted; else 429 or 503 if the same may be accepted
   * later, 413 if the only record was too large, 400 if the records are to blame.
   */
  public static int status(int accepted, Rejections rejections, boolean single) {
    if (accepted > 0) {
      return 202;
    }
    if (rejections.has(Reason.OVER_QUOTA)) {
      return 429;
    }
    if (rejections.has(Reason.UNAVAILABLE)) {
      return 503;
    }
    return single && rejections.has(Reason.TOO_LARGE) ? 413 : 400;
  }
}
