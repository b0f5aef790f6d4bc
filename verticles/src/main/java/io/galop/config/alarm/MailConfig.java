package io.galop.config.alarm;

import io.galop.config.ingest.PollTlsConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** People who take alarms by mail. */
@Brick("mail")
@Doc("A mail; told when the server has taken it.")
public record MailConfig(
    @Doc("The SMTP server.") String host,
    @Doc("Its port.") @Default("587") @Range(min = 1, max = 65_535) int port,
    @Doc("Whether the connection is encrypted: after STARTTLS, from the start, or not at all.")
        @Default("starttls")
        Encryption encryption,
    @Doc("User and password; without a user nobody logs in.") StoreLoginConfig login,
    @Doc("The sender's address.") String from,
    @Doc("The receivers' addresses.") List<String> to,
    @Doc("Time limit of a mail.") @Default("30000") @Range(min = 100, max = 600_000) long timeoutMs,
    @Doc("Which server is trusted.") PollTlsConfig tls)
    implements AlarmWayConfig {
  /** How what is sent is kept from others' eyes. */
  public enum Encryption {
    STARTTLS,
    TLS,
    NONE
  }

  public MailConfig {
    to = List.copyOf(to);
    if (host.isBlank()) {
      throw new IllegalArgumentException("host must be that of an SMTP server, not empty");
    }
    if (to.isEmpty()) {
      throw new IllegalArgumentException("to must name a receiver");
    }
    checkAddress("from", from);
    to.forEach(address -> checkAddress("to", address));
    if (encryption == Encryption.NONE && !login.user().isEmpty()) {
      throw new IllegalArgumentException(
          "encryption must be starttls or tls where a user logs in: the password would be read");
    }
  }

  private static void checkAddress(String key, String address) {
    if (!address.matches("[^\\s@<>,;]+@[^\\s@<>,;]+")) {
      throw new IllegalArgumentException(key + " must be a mail address, not '" + address + "'");
    }
  }
}
