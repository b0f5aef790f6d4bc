package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Secret;
import io.galop.yaml.Shown;
import java.util.List;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;

/** One who may publish: how it is recognised, what it may publish, and how much. */
public record PublisherConfig(
    @Doc("Its name in metrics, answers and logs.") String name,
    @Doc("The SHA-256 of its token, in hexadecimal; empty: none.") @Default("") @Secret
        String tokenSha256,
    @Doc("A file whose first line is its token, instead of tokenSha256.") @Default("")
        String tokenFile,
    @Doc(
            "The subject of its client certificate, such as CN=pump 7; counts where no "
                + "token is shown. Empty: none.")
        @Default("")
        String certificate,
    @Doc("The user that must come with its token at the mqtt door; empty: any.") @Default("")
        String mqttUser,
    @Doc("Filters of topics that it may publish to; empty: all that the node accepts.")
        @Default("[]")
        List<String> topics,
    @Doc("Most records a second, refused ones included; 0: any number.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000)
        long maxRecordsPerSecond,
    @Doc("Most bytes of records a second; 0: any number.")
        @Default("0")
        @Range(min = 0, max = 1_000_000_000_000L)
        long maxBytesPerSecond,
    @Doc(
            "Its unacknowledged bytes, and as many of bodies, lines and messages that are "
                + "not whole; 0: its share of ingest.maxInFlightBytes.")
        @Default("0")
        @Range(min = 0, max = 68_719_476_736L)
        long maxInFlightBytes) {
  /** The publisher that {@code ingest.token} stands for. */
  public static final String OF_TOKEN = "default";

  public PublisherConfig {
    topics = List.copyOf(topics);
    tokenSha256 = tokenSha256.toLowerCase(Locale.ROOT);
    require(
        name.matches("[A-Za-z0-9._-]{1,64}"),
        "name must be 1 to 64 letters, digits, '.', '_' or '-'");
    require(
        tokenSha256.matches("([0-9a-f]{64})?"),
        "tokenSha256 must be 64 hexadecimal digits, as printf %s TOKEN | sha256sum prints them");
    require(
        tokenSha256.isEmpty() || tokenFile.isEmpty(),
        "tokenSha256 must be empty where tokenFile is given");
    boolean hasToken = !tokenSha256.isEmpty() || !tokenFile.isEmpty();
    require(
        hasToken || !certificate.isEmpty(),
        "tokenSha256 must be given, or tokenFile or certificate: nobody could be recognised");
    require(
        hasToken || mqttUser.isEmpty(),
        "mqttUser must come with tokenSha256 or tokenFile, the password");
    canonical(certificate);
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** The subject as two that are the same are written the same; empty if there is none. */
  public String subject() {
    return canonical(certificate);
  }

  private static String canonical(String subject) {
    try {
      return subject.isEmpty() ? "" : new X500Principal(subject).getName(X500Principal.CANONICAL);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "certificate must be the subject of a certificate, such as CN=pump 7, not '"
              + subject
              + "'",
          e);
    }
  }

  /** Without the token. */
  @Override
  public String toString() {
    return Shown.of(this);
  }
}
