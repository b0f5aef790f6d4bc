package io.galop.store;

import java.util.Optional;
import java.util.regex.Pattern;

/** Says in an operator's words why a connection to a store was not encrypted. */
public final class TlsReason {
  private static final Pattern NOT_TRUSTED =
      Pattern.compile("PKIX path|Self signed certificates|No trusted certificate");

  private static final Pattern OTHER_HOST =
      Pattern.compile(
          "No subject alternative|No name matching|hostname verification failed|"
              + "could not be verified by hostnameverifier");

  private static final Pattern NO_TLS =
      Pattern.compile(
          "not an SSL/TLS record|Unsupported or unrecognized SSL message|"
              + "does not handle SSL connection|The server does not support SSL");

  /** All that PostgreSQL's client on event loops says of any of them. */
  private static final String ANY = "SSL handshake failed";

  private static final int MOST_CAUSES = 10;

  private TlsReason() {}

  /**
   * What is wrong and what to do, if it is TLS. Drivers bury it at different depths, one of them in
   * the text of its message, so texts are looked at and not types.
   */
  public static Optional<String> of(Throwable failure) {
    boolean isAny = false;
    Throwable cause = failure;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      Optional<String> reason = of(String.valueOf(cause.getMessage()));
      if (reason.isPresent()) {
        return reason;
      }
      isAny |= ANY.equals(cause.getMessage());
      cause = cause.getCause();
    }
    return isAny
        ? Optional.of(
            "the store's certificate is not trusted, or is for another host; tls.caFile must hold"
                + " it or the one that it comes from, and the host must be given by the name in"
                + " the certificate, or tls.verifyHost be set to false")
        : Optional.empty();
  }

  private static Optional<String> of(String message) {
    if (NOT_TRUSTED.matcher(message).find()) {
      return Optional.of(
          "the store's certificate is not trusted; tls.caFile must hold it or the one that it"
              + " comes from");
    }
    if (OTHER_HOST.matcher(message).find()) {
      return Optional.of(
          "the store's certificate is for another host; give the host by the name in the"
              + " certificate, or set tls.verifyHost to false");
    }
    return NO_TLS.matcher(message).find()
        ? Optional.of("the store does not speak TLS on this port; set tls.enabled to false")
        : Optional.empty();
  }
}
