package io.galop.ingest.intake;

import io.galop.config.ingest.IngestConfig;
import io.galop.socket.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What publishers have to show, if anything. */
public final class Token {
  private static final String BEARER = "Bearer ";
  private final byte[] digest;

  private Token(String token) {
    digest = token.isEmpty() ? new byte[0] : sha256(token);
  }

  /**
   * Reads it from the configuration or its file; blocks, so at start only.
   *
   * @throws IllegalArgumentException if the file cannot be read or holds no token
   */
  public static Token of(IngestConfig config) {
    return new Token(config.tokenFile().isEmpty() ? config.token() : read(config.tokenFile()));
  }

  private static String read(String file) {
    try {
      return SecretFile.read(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "ingest.tokenFile must name a file with a token: '" + file + "': " + e.getMessage(), e);
    }
  }

  /** Whether one has to be shown at all. */
  public boolean isRequired() {
    return digest.length > 0;
  }

  /** Whether this is the token; takes as long for any wrong one, so that it cannot be felt for. */
  public boolean matches(String given) {
    return !isRequired() || MessageDigest.isEqual(digest, sha256(given));
  }

  /** The same for a header {@code Authorization: Bearer <token>}; null where there is none. */
  public boolean matchesHeader(String authorization) {
    boolean bearer =
        authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return matches(bearer ? authorization.substring(BEARER.length()).strip() : "");
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
