package io.galop.bus;

import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Locale;

/**
 * A request that its receiver did not take; travels over the bus as a failure code and a message.
 */
public final class Refusal extends ReplyException {
  private static final long serialVersionUID = 1L;

  /** Why. The order is part of the wire format: add at the end. */
  public enum Why {
    /** The receiver does not own the shard: look again who does. */
    NOT_OWNER,
    /** The receiver is in another epoch, which the message gives as a number. */
    WRONG_EPOCH,
    /** The receiver is starting, taking the shard over or shutting down: try again. */
    NOT_READY,
    /** The disk quota is reached: nothing was taken, and trying again at once is no use. */
    OVER_QUOTA,
    /** The Log could not be written: the node is failing. */
    LOG_FAILED,
    /** The receiver has as much in flight as it allows: try again. */
    BUSY,
    /** The Batch does not follow on what the receiver has: follow again. */
    NOT_CONTINUOUS,
    /** The request itself is wrong, and would be wrong again. */
    BAD_REQUEST,
    /** Nobody took it before the deadline. */
    DEADLINE,
    /** A Batch before it, of the same sender, was not taken: send both again, in order. */
    OUT_OF_ORDER,
    /** The receiver does not see the sender in the cluster: not yet, or not any more. */
    NOT_MEMBER
  }

  /** The {@link #reason} of who has not answered at all. */
  public static final String NO_ANSWER = "no_answer";

  private static final int FIRST_CODE = 100;
  private final Why why;

  /** More of why than the wire knows; empty: {@link #why} says all. */
  private final String here;

  public Refusal(Why why, String message) {
    this(why, message, "");
  }

  private Refusal(Why why, String message, String here) {
    super(ReplyFailure.RECIPIENT_FAILURE, FIRST_CODE + why.ordinal(), message);
    this.why = why;
    this.here = here;
  }

  /** The receiver has not answered in time: known on this side only. */
  static Refusal late(String message) {
    return new Refusal(Why.NOT_READY, message, NO_ANSWER);
  }

  /** The receiver has left the cluster, or is not in it: known on this side only. */
  static Refusal left(String message) {
    return new Refusal(Why.NOT_READY, message, "left");
  }

  public Why why() {
    return why;
  }

  /**
   * For programs: as {@link #word}, but {@link #NO_ANSWER} of who has not answered at all, and
   * {@code left} of who is no member.
   */
  public static String reason(Throwable failure) {
    return failure instanceof Refusal refusal && !refusal.here.isEmpty()
        ? refusal.here
        : word(failure);
  }

  /** For programs: {@link Why} of a Refusal in small letters, {@code failed} for what is none. */
  public static String word(Throwable failure) {
    return failure instanceof Refusal refusal
        ? refusal.why.name().toLowerCase(Locale.ROOT)
        : "failed";
  }

  /** Whether another attempt, perhaps with another node, may succeed. */
  public boolean isTransient() {
    return switch (why) {
      case NOT_OWNER, WRONG_EPOCH, NOT_READY, BUSY, LOG_FAILED, OUT_OF_ORDER, NOT_MEMBER -> true;
      case OVER_QUOTA, NOT_CONTINUOUS, BAD_REQUEST, DEADLINE -> false;
    };
  }

  /**
   * What went wrong with a request, whatever the bus made of it: a Refusal that crossed the wire,
   * no answer in time or no such node (both worth another attempt, as {@link Why#NOT_READY}).
   */
  public static Refusal of(Throwable failure) {
    if (failure instanceof Refusal refusal) {
      return refusal;
    }
    if (failure instanceof ReplyException reply
        && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE) {
      int index = reply.failureCode() - FIRST_CODE;
      Why[] all = Why.values();
      return index >= 0 && index < all.length
          ? new Refusal(all[index], String.valueOf(reply.getMessage()))
          : new Refusal(Why.BAD_REQUEST, String.valueOf(reply.getMessage()));
    }
    return new Refusal(Why.NOT_READY, String.valueOf(failure.getMessage()));
  }
}
