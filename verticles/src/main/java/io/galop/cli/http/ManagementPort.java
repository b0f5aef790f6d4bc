package io.galop.cli.http;

import io.galop.cli.CliFailure;
import java.net.URI;
import picocli.CommandLine.Option;

/** Where a node listens for its operators, as an option of a command. */
final class ManagementPort {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:9090",
      description = "The node's management port. Default: ${DEFAULT-VALUE}.")
  private URI url;

  NodeHttp http() {
    return new NodeHttp(url);
  }

  /** Something else answers there. */
  CliFailure isAnother() {
    return CliFailure.failed(
        "what answers at %s is not the management port of a node; see --url".formatted(url));
  }
}
