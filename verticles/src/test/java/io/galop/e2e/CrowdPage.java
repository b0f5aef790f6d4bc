package io.galop.e2e;

import com.microsoft.playwright.Page;
import io.galop.page.Chromium;
import io.vertx.core.json.JsonArray;
import java.nio.file.Path;

/** Viewers in a page of Chromium, with the sockjs-client that the node itself serves. */
final class CrowdPage {
  /**
   * A page of another origin has no htmlfile of its own: there it is in an iframe of the node's.
   */
  private static final String CONNECT =
      """
      () => {
        window.told = [];
        window.act = window.crowd(
          (url, transport) => new SockJS(url, null,
            {transports: transport === "htmlfile" ? [transport, "iframe-htmlfile"] : [transport]}),
          (viewer, message) => told.push({viewer, message}));
      }
      """;

  private CrowdPage() {}

  /**
   * Opens one.
   *
   * @param origin of the page, which is a greeting that a node serves without rules on connections;
   *     a page that is not really served could not connect to this machine, as browsers have it
   */
  static Crowd open(Chromium chromium, String origin) {
    Page page = chromium.page(origin + "/live");
    page.addScriptTag(new Page.AddScriptTagOptions().setUrl(origin + "/vendor/sockjs.min.js"));
    page.addScriptTag(new Page.AddScriptTagOptions().setUrl(origin + "/deltas.js"));
    page.addScriptTag(new Page.AddScriptTagOptions().setPath(Path.of("src/test/node/crowd.js")));
    page.evaluate(CONNECT);
    return Crowd.inPage(
        order -> page.evaluate("order => act(JSON.parse(order))", order.encode()),
        () -> new JsonArray(page.evaluate("() => JSON.stringify(told.splice(0))").toString()));
  }
}
