package io.galop.config;

import io.galop.config.tls.TlsConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The port for operators. */
public record ManagementConfig(
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("9090") @Range(min = 0, max = 65535) int port,
    @Doc("TLS of this listener.") TlsConfig tls,
    @Doc(
            "Whether the listener may be on an address off loopback without TLS: "
                + "whoever is on the way reads and changes everything.")
        @Default("false")
        boolean insecure,
    @Doc("Who may come. Empty, on loopback: everybody there.") @Default("[]")
        List<OperatorConfig> operators,
    @Doc(
            "Whether the listener may be on an address off loopback without operators: "
                + "whoever reaches it looks and acts.")
        @Default("false")
        boolean anonymous,
    @Doc("The record of what operators did.") AuditConfig audit) {
  public ManagementConfig {
    operators = List.copyOf(operators);
    if (anonymous && !operators.isEmpty()) {
      throw new IllegalArgumentException("anonymous must be false where operators are given");
    }
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < operators.size(); i++) {
      OperatorConfig one = operators.get(i);
      if (!seen.add(one.name())) {
        throw new IllegalArgumentException(
            "operators[%d] must have a name of its own, not '%s' again".formatted(i, one.name()));
      }
      if (!one.tokenHash().isEmpty() && !seen.add(one.tokenHash().toLowerCase(Locale.ROOT))
          || !one.subject().isEmpty() && !seen.add(one.principal())) {
        throw new IllegalArgumentException(
            "operators[%d] must have a login of its own, not that of another".formatted(i));
      }
      if (!one.subject().isEmpty() && tls.clientCa().isEmpty()) {
        throw new IllegalArgumentException(
            "operators[%d] must have a token, as no certificate is shown without tls.clientCa"
                .formatted(i));
      }
    }
  }
}
