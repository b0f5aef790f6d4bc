package io.galop.ie8;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The feed in an emulation of Internet Explorer 8, on the transports that the emulation has: it
 * runs the scripts that the node serves with that browser's objects and quirks. It is no proof for
 * the real one: its network stack, its limit of connections, htmlfile and XDomainRequest are not
 * emulated.
 */
@Timeout(180)
class Ie8IT {
  /** What the page's own client tells is kept in variables of the page. */
  private static final String CONNECT =
      """
      var numbers = [], lives = 0, resumed = [], errors = [], state = "";
      var feed = Galop.connect("/live", {transports: ["%s"]});
      feed.onstate = function (now) { state = now; };
      feed.onlive = function () { lives++; };
      feed.onresumed = function (filter, complete) { resumed.push(complete); };
      feed.onerr = function (message) { errors.push(message.message); };
      feed.register("%s/#", {snapshot: true}, function (record) { numbers.push(record.data.n); });
      """;

  @TempDir static Path directory;
  private static PackedNode node;

  @BeforeAll
  static void start() throws Exception {
    node = PackedNode.start(directory);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"xhr-polling", "jsonp-polling"})
  void hasTheSnapshotThePushesAndWhatItMissed(String transport) throws Exception {
    String topic = transport + "/topic";
    node.publish(topic, 1);
    node.publish(topic, 2);
    try (OldPage page = OldPage.probe(node)) {
      page.run(CONNECT.formatted(transport, transport));
      page.await("1", "lives");
      page.await("2", "numbers.join()");
      for (int n = 3; n <= 20; n++) {
        node.publish(topic, n);
      }
      page.await(numbers(20), "numbers.join()");

      page.run("feed.socket.close()");
      page.await("waiting", "state");
      node.publish(topic, 21);
      node.publish(topic, 22);
      page.await("2", "lives");
      node.publish(topic, 23);
      page.await(numbers(23), "numbers.join()");
      page.await("true", "resumed.join()");
      page.await("", "errors.join()");
      page.await(transport, "feed.detail.transport");
      page.run("feed.close()");
    }
  }

  /** From the snapshot's 2 on, each once. */
  private static String numbers(int last) {
    StringBuilder numbers = new StringBuilder("2");
    for (int n = 3; n <= last; n++) {
      numbers.append(',').append(n);
    }
    return numbers.toString();
  }

  /**
   * On xhr-polling only: scripts that the emulation waits for (jsonp) stop the timers of a page.
   */
  @Test
  void showsTheProductsOwnPage() throws Exception {
    node.publish("speed", 41);
    try (OldPage page = OldPage.at(node.url("/?view=topics&transports=xhr-polling&filter=speed"))) {
      page.await("Live", "document.getElementById('state').innerText");
      page.await("xhr-polling", "document.getElementById('transport').innerText");
      page.await("1 topic", "document.getElementById('topic-more').innerText");
      page.run("document.getElementById('topic-list').getElementsByTagName('button')[0].click()");
      node.publish("speed", 42);
      page.await("true", "document.getElementById('topic-json').innerText.indexOf('42') > 0");
    }
  }
}
