package io.galop.loadtest.queries;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * What is asked.
 *
 * @param target the path, with a query that others may be added to
 * @param isDistinct whether each asks for another beginning; none of them leaves a record out, so
 *     that the answers are the same, but nobody's answer is another's
 */
record Question(InetSocketAddress server, String target, boolean isDistinct) {

  /** The request of number so and so. */
  byte[] request(long number) {
    String from = isDistinct ? "&from=" + (number + 1) : "";
    return """
        GET %s%s HTTP/1.1\r
        Host: %s:%d\r
        \r
        """
        .formatted(target, from, server.getHostString(), server.getPort())
        .getBytes(StandardCharsets.US_ASCII);
  }
}
