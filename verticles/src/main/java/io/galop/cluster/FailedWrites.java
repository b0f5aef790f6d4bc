package io.galop.cluster;

import io.vertx.core.Vertx;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps out of the log what Vert.x's clustered bus throws, with a long stack trace, whenever a
 * message meets a connection that its node has just closed: its OutboundDeliveryContext deals with
 * the failure and then says that it could not, which is taken for a second one (5.0.12). Whoever
 * sent the message is told by its answer, which does not come.
 */
final class FailedWrites {
  private static final Logger LOG = LoggerFactory.getLogger(FailedWrites.class);
  private static final String THROWN = "Promise already completed";
  private static final String PROMISE = "io.vertx.core.Promise";
  private static final String CONNECTIONS = "io.vertx.core.net.impl.";
  private static final String BUS = "io.vertx.core.eventbus.impl.clustered.OutboundConnection";

  private FailedWrites() {}

  /** From now on; all else that nobody catches is in the log as before. */
  static void quieten(Vertx vertx) {
    vertx.exceptionHandler(
        thrown -> {
          if (isOne(thrown)) {
            LOG.debug("a message met a closed connection", thrown);
          } else {
            LOG.error("Unhandled exception", thrown);
          }
        });
  }

  /**
   * Thrown by the default method of a Promise, on the way back from the write: later by the
   * connection, or at once below the sender where the connection is known to be closed.
   */
  static boolean isOne(Throwable thrown) {
    if (!(thrown instanceof IllegalStateException) || !THROWN.equals(thrown.getMessage())) {
      return false;
    }
    StackTraceElement[] trace = thrown.getStackTrace();
    if (trace.length == 0 || !trace[0].getClassName().equals(PROMISE)) {
      return false;
    }
    for (StackTraceElement frame : trace) {
      String in = frame.getClassName();
      if (in.startsWith("io.galop.")) {
        return false;
      }
      if (in.startsWith(CONNECTIONS) || in.startsWith(BUS)) {
        return true;
      }
    }
    return false;
  }
}
