package io.galop.broadcast.edge;

import io.galop.record.TopicFilter;
import io.galop.record.View;
import java.util.List;

/**
 * Who a token says that a browser is, and what it may see. Never printed: the digest stands for the
 * token.
 *
 * @param subject the token's {@code sub}; empty where it names nobody
 * @param topics what may be registered
 * @param view what of the records is shown
 * @param issuedMs when the token was made, milliseconds since 1970 UTC; {@link #UNKNOWN} where it
 *     does not say
 * @param notBeforeMs from when on the token is good, milliseconds since 1970 UTC
 * @param expiresMs until when it is good, milliseconds since 1970 UTC
 * @param key the key that it is signed with, see {@link VerifyKey#id}
 * @param digest the token's SHA-256 in hexadecimal digits
 */
record Viewer(
    String subject,
    List<TopicFilter> topics,
    View view,
    long issuedMs,
    long notBeforeMs,
    long expiresMs,
    String key,
    String digest) {
  /** Before any other time. */
  static final long UNKNOWN = Long.MIN_VALUE;

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
