package io.galop.socket;

import io.netty.handler.ssl.NotSslRecordException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a client and a listener found no common TLS, in an operator's words.
 *
 * @param reason one of a few
 * @param words the same, or what TLS itself says of a reason that is not among them
 */
record TlsRefusal(String reason, String words) {
  private static final String OTHER = "for another reason";

  private static final int MOST_CAUSES = 10;

  /** What the JDK or BoringSSL writes → what it means. The first that fits counts. */
  private static final Map<Pattern, String> WORDS = new LinkedHashMap<>();

  static {
    say(
        "Empty client certificate chain|DID_NOT_RETURN_A_CERTIFICATE",
        "it has shown no certificate");
    say("NotAfter|validity check failed|expired", "its certificate is out of date");
    say(
        "unable to find valid certification path|Path does not chain|PKIX path",
        "its certificate is of an authority that is not in %s.clientCa");
    say(
        "not enabled or supported|not accepted by server preferences|protocol_version"
            + "|UNSUPPORTED_PROTOCOL",
        "it speaks no version of TLS from %s.minVersion on");
    say("no cipher suites in common|NO_SHARED_CIPHER", "it has no cipher that is safe");
    say("WRONG_CURVE|NO_SHARED_GROUP", "it has no cipher with a curve that this listener has");
    say(
        "fatal alert: (bad_certificate|certificate_\\w+|unknown_ca)"
            + "|ALERT_(BAD_CERTIFICATE|CERTIFICATE_\\w+|UNKNOWN_CA)",
        "it does not accept this listener's certificate");
    say(
        "BAD_PACKET_LENGTH|Insufficient buffer remaining for AEAD",
        "it broke off the handshake, as clients do that do not accept this listener's certificate");
    say("handshake timed out", "its handshake took too long");
  }

  private static void say(String found, String words) {
    WORDS.put(Pattern.compile(found), words);
  }

  /**
   * The reason; its words are the end of a sentence.
   *
   * @param path the dotted path of the listener's TLS
   */
  static TlsRefusal of(Throwable failure, String path) {
    @Nullable Throwable cause = failure;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      if (cause instanceof NotSslRecordException) {
        return known(
            "it does not speak TLS (http:// or mqtt:// where it is https:// or mqtts://?)");
      }
      Optional<String> known = wordsFor(String.valueOf(cause.getMessage()));
      if (known.isPresent()) {
        return known(known.get().formatted(path));
      }
      cause = cause.getCause();
    }
    return new TlsRefusal(OTHER, TlsKnock.reason(failure));
  }

  private static TlsRefusal known(String words) {
    return new TlsRefusal(words, words);
  }

  private static Optional<String> wordsFor(String message) {
    return WORDS.entrySet().stream()
        .filter(one -> one.getKey().matcher(message).find())
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
