package io.galop.ingest.poll;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** 128 bits that tell one content from another. */
public record ContentHash(long high, long low) {
  /** That of a topic that is in the answer no more. */
  public static final ContentHash GONE = new ContentHash(0, 0);

  static ContentHash of(byte[] content) {
    try {
      ByteBuffer hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(content));
      return new ContentHash(hash.getLong(), hash.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
