package io.galop.socket;

import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells clients that leave in the middle of an answer from failures of this node. */
public final class Hangup {
  private static final Logger LOG = LoggerFactory.getLogger(Hangup.class);

  private Hangup() {}

  /**
   * Ends the connection of a client that has gone, which is no error.
   *
   * @return whether that is why its answer failed
   */
  public static boolean ended(HttpServerRequest request, Throwable failure) {
    boolean hasGone = is(request.response(), failure);
    if (hasGone) {
      LOG.debug("{} has gone: {}", request.remoteAddress(), failure.toString());
      request.connection().close();
    }
    return hasGone;
  }

  /** One that had not begun failed for another reason, such as a server that this node asked. */
  private static boolean is(HttpServerResponse answer, Throwable failure) {
    return answer.headWritten()
        && (failure instanceof ClosedChannelException
            || failure instanceof HttpClosedException
            || failure instanceof SSLException
            || failure instanceof IOException && isReset(String.valueOf(failure.getMessage())));
  }

  /** Neither the JDK nor Netty has a class for these. */
  private static boolean isReset(String message) {
    return Stream.of("Connection reset", "Broken pipe").anyMatch(message::contains);
  }
}
