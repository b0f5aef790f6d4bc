package io.galop.socket;

import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Tells clients that leave in the middle of an answer from failures of this node. */
public final class Hangup {
  private Hangup() {}

  /**
   * Whether an answer failed because its client has gone, which is no error. One that had not begun
   * failed for another reason, such as a server that this node asked.
   */
  public static boolean is(HttpServerResponse answer, Throwable failure) {
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
