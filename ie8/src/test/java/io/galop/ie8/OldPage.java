package io.galop.ie8;

import com.gargoylesoftware.htmlunit.BrowserVersion;
import com.gargoylesoftware.htmlunit.WebClient;
import com.gargoylesoftware.htmlunit.WebRequest;
import com.gargoylesoftware.htmlunit.WebResponse;
import com.gargoylesoftware.htmlunit.WebResponseData;
import com.gargoylesoftware.htmlunit.html.HtmlPage;
import com.gargoylesoftware.htmlunit.util.NameValuePair;
import com.gargoylesoftware.htmlunit.util.WebConnectionWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A page in HtmlUnit's emulation of Internet Explorer 8. */
final class OldPage implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 120;
  private static final String PROBE =
      """
      <html><head><title>probe</title>
      <script src="/vendor/sockjs.min.js"></script><script src="/galop.js"></script>
      </head><body></body></html>""";

  private final WebClient browser = new WebClient(BrowserVersion.INTERNET_EXPLORER_8);
  private HtmlPage page;

  private OldPage() {
    browser.getOptions().setCssEnabled(false);
    browser.getOptions().setThrowExceptionOnScriptError(true);
  }

  /** An address of the node. */
  static OldPage at(String url) throws IOException {
    OldPage old = new OldPage();
    old.page = old.browser.getPage(url);
    return old;
  }

  /** An empty page of the node's origin, with the scripts that the node serves. */
  static OldPage probe(PackedNode node) throws IOException {
    OldPage old = new OldPage();
    String url = node.url("/probe.html");
    new WebConnectionWrapper(old.browser) {
      @Override
      public WebResponse getResponse(WebRequest request) throws IOException {
        return request.getUrl().toString().equals(url)
            ? response(request)
            : super.getResponse(request);
      }
    };
    old.page = old.browser.getPage(url);
    return old;
  }

  private static WebResponse response(WebRequest request) {
    List<NameValuePair> headers = List.of(new NameValuePair("Content-Type", "text/html"));
    byte[] body = PROBE.getBytes(StandardCharsets.UTF_8);
    return new WebResponse(new WebResponseData(body, 200, "OK", headers), request, 0);
  }

  /** Runs a script in the page; its value as a text. */
  String run(String script) {
    return String.valueOf(page.executeJavaScript(script).getJavaScriptResult());
  }

  /** The page's text, as a reader sees it. */
  String text() {
    return page.asText();
  }

  /** Waits until a script's value is this. */
  void await(String expected, String script) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    String asText = "String(" + script + ")";
    String value = run(asText);
    while (!value.equals(expected)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            script + " stayed " + value + ", not " + expected + "; the page shows\n" + text());
      }
      browser.waitForBackgroundJavaScript(50);
      value = run(asText);
    }
  }

  @Override
  public void close() {
    try {
      browser.close();
    } catch (UnsupportedOperationException e) {
      // It ends its threads by Thread.stop, which newer Java versions no longer have. They are
      // daemons.
      page = null;
    }
  }
}
