package io.galop.broadcast.edge;

import io.galop.record.TopicFilter;
import java.util.List;

/**
 * Who a token says that a browser is, and what it may see. Never printed: the digest stands for the
 * token.
 *
 * @param subject the token's {@code sub}; empty where it names nobody
 * @param topics what may be registered
 * @param notBeforeMs from when on the token is good, milliseconds since 1970 UTC
 * @param expiresMs until when it is good, milliseconds since 1970 UTC
 * @param digest the token's SHA-256 in hexadecimal digits
 */
record Viewer(
    String subject, List<TopicFilter> topics, long notBeforeMs, long expiresMs, String digest) {
  Viewer {
    topics = List.copyOf(topics);
  }

  boolean isExpired(long nowMs) {
    return nowMs >= expiresMs;
  }

  boolean sees(TopicFilter filter) {
    return topics.stream().anyMatch(topic -> topic.covers(filter));
  }

  @Override
  public String toString() {
    return "viewer";
  }
}
