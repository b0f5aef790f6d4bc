package io.galop.ingest.publisher;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * What a client shows. A token counts if there is one, else the certificate: who shows a wrong
 * token is not let in for its certificate. A token is looked up by its hash, so how long that takes
 * tells nothing of any token.
 *
 * @param tokenSha256 in hexadecimal; empty if no token is shown
 * @param subject of the client's certificate, canonical; empty if there is none
 * @param mqttUser empty where there is none, or the door knows no users
 */
public record Credential(String tokenSha256, String subject, String mqttUser) {
  private static final String BEARER = "Bearer ";

  /** A token, which may be empty, and a certificate. */
  public static Credential of(String token, String subject) {
    return new Credential(token.isEmpty() ? "" : sha256(token), subject, "");
  }

  /** The same with a header {@code Authorization: Bearer <token>}; null where there is none. */
  public static Credential ofHeader(@Nullable String authorization, String subject) {
    return of(
        authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            ? authorization.substring(BEARER.length()).strip()
            : "",
        subject);
  }

  /** The same with a user. */
  Credential by(String user) {
    return new Credential(tokenSha256, subject, user);
  }

  /** The subject of the client's certificate, as {@link #subject}. */
  public static String subjectOf(@Nullable SSLSession session) {
    try {
      return session != null && session.getPeerCertificates()[0] instanceof X509Certificate shown
          ? shown.getSubjectX500Principal().getName(X500Principal.CANONICAL)
          : "";
    } catch (SSLPeerUnverifiedException none) {
      return "";
    }
  }

  static String sha256(String text) {
    try {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Without what was shown. */
  @Override
  public String toString() {
    return tokenSha256.isEmpty() ? "certificate of '" + subject + "'" : "a token";
  }
}
