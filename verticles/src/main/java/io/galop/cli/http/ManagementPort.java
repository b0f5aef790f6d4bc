package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.NodeUrl;
import io.galop.cli.TlsOptions;
import java.net.URI;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a node listens for its operators, as an option of a command. */
final class ManagementPort {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--url",
      paramLabel = "URL",
      converter = NodeUrl.class,
      defaultValue = "http://127.0.0.1:9090",
      description = "The node's management port. Default: ${DEFAULT-VALUE}.")
  private URI url;

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Mixin private final OperatorToken token = new OperatorToken();

  NodeHttp http() {
    return new NodeHttp(url, tls, token.text());
  }

  /** Something else answers there. */
  CliFailure isAnother() {
    return CliFailure.failed(
        "what answers at %s is not the management port of a node; see --url".formatted(url));
  }
}
