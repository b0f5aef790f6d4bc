package io.galop.cli.live;

import io.galop.cli.CliFailure;
import io.galop.cli.NodeUrl;
import io.galop.cli.Terminal;
import io.galop.cli.TlsOptions;
import io.galop.cli.ViewerToken;
import io.galop.jvm.ErrorText;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;

/** The live feed for commands of other packages, as {@code galop subscribe} shows it. */
public final class LiveFeed {
  private static final long RETRY_SECONDS = 60;

  private LiveFeed() {}

  /**
   * Subscribes at a node and blocks until the subscription is done.
   *
   * @param url the node's port for browsers
   * @param count after how many records to end; 0: never
   * @param onLine is given each record as one line of JSON without its end, one after the other, on
   *     threads of the connection; while it runs nothing more is read. Throws an {@link
   *     java.io.UncheckedIOException} to end the subscription
   * @throws CliFailure saying why there is no feed
   */
  public static void read(
      Terminal terminal, String filter, String url, long count, Consumer<String> onLine)
      throws InterruptedException {
    ViewerToken token = new ViewerToken();
    CommandLine.populateCommand(token); // from the environment
    Subscription subscription =
        new Subscription(
            List.of(filter),
            List.of(),
            new Subscription.Wishes(false, ""),
            count,
            onLine,
            terminal);
    URI node = node(url);
    HttpClient http = new TlsOptions().client(node);
    new SteadyFeed(http, node, token.text(), subscription, RETRY_SECONDS, terminal).run();
  }

  private static URI node(String url) {
    try {
      return NodeUrl.read(url);
    } catch (IllegalArgumentException wrong) {
      throw CliFailure.usage(ErrorText.of(wrong));
    }
  }
}
