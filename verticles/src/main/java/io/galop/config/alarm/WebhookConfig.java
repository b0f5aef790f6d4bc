package io.galop.config.alarm;

import io.galop.config.ingest.PollHeaderConfig;
import io.galop.config.ingest.PollTlsConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** A program that takes alarms by HTTP. */
@Brick("webhook")
@Doc("A POST of JSON; told when it is answered with 2xx.")
public record WebhookConfig(
    @Doc("The http or https address; keep secrets in headers.") String url,
    @Doc("The request's headers.") @Default("[]") List<PollHeaderConfig> headers,
    @Doc("Time limit of a request.") @Default("10000") @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc("Which server is trusted.") PollTlsConfig tls)
    implements AlarmWayConfig {
  public WebhookConfig {
    headers = List.copyOf(headers);
    try {
      URI uri = new URI(url);
      boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (!isWeb || uri.getHost() == null) {
        throw new IllegalArgumentException("url must be an http or https address with a host");
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("url must be an http or https address", e);
    }
  }
}
