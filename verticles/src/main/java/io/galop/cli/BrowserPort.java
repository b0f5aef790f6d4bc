package io.galop.cli;

import java.net.URI;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Where a node listens for browsers, as an option of a command and of those below it. */
public final class BrowserPort {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--url",
      paramLabel = "URL",
      converter = NodeUrl.class,
      defaultValue = "http://127.0.0.1:8080",
      scope = ScopeType.INHERIT,
      description = "The node's port for browsers. Default: ${DEFAULT-VALUE}.")
  private URI url;

  @Mixin private final TlsOptions tls = new TlsOptions();

  public URI url() {
    return url;
  }

  /** How it is reached by TLS. */
  public TlsOptions tls() {
    return tls;
  }
}
