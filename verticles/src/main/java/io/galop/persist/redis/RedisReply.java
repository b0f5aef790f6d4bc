package io.galop.persist.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the server answers: numbers, texts as bytes, or lists of answers; a text may be absent.
 * Errors are no replies, they fail the whole pipeline.
 */
final class RedisReply {
  private final @Nullable Object value;

  /**
   * A reply.
   *
   * @param value a Long, a byte[] (null where absent) or a List of replies
   */
  RedisReply(@Nullable Object value) {
    this.value = value;
  }

  long number() {
    return value instanceof Long number ? number : 0;
  }

  Optional<byte[]> bytes() {
    return value instanceof byte[] bytes ? Optional.of(bytes) : Optional.empty();
  }

  Optional<String> text() {
    return bytes().map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  List<RedisReply> list() {
    List<RedisReply> replies = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object one : list) {
        replies.add((RedisReply) one);
      }
    }
    return replies;
  }

  /** The texts of a list. */
  List<byte[]> all() {
    return list().stream().map(reply -> reply.bytes().orElseThrow()).toList();
  }
}
