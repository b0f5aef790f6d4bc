package io.galop.ops.console;

import io.galop.node.JsonAnswer;
import io.galop.ops.access.AccessGate;
import io.galop.ops.access.Login;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /console/feed}: one JSON object a line. The first is {@code {"hour":…,"login":…}},
 * then comes what {@code /status} answers, once a second, read once and encoded once for all pages.
 * A page whose socket is full misses objects, and is told {@code {"skipped":n}} before its next
 * one. An answer ends after ten minutes and the page asks again, so that a login that was taken
 * away ends too. On the event loop of the port.
 *
 * <p>Invariant: {@code pages} holds the answers that are neither ended nor closed, at most {@link
 * #MOST_PAGES}; one reading is under way at most.
 */
public final class ConsoleFeed {
  static final String PATH = ConsoleFiles.FOLDER + "feed";
  static final int MOST_PAGES = 32;

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleFeed.class);
  private static final int EVERY_MS = 1_000;
  private static final int LONGEST_SECONDS = 600;

  private final Supplier<Future<JsonObject>> status;
  private final boolean areOperatorsGiven;
  private final Counter refused;
  private final Hour hour = new Hour();
  private final List<Page> pages = new ArrayList<>();
  private boolean isReading;
  private long seconds;

  private static final class Page {
    final HttpServerResponse response;
    int secondsLeft = LONGEST_SECONDS;
    int skipped;

    Page(HttpServerResponse response) {
      this.response = response;
    }
  }

  /**
   * Called on the event loop of the port.
   *
   * @param status reads it on another thread
   */
  public ConsoleFeed(
      Supplier<Future<JsonObject>> status, boolean areOperatorsGiven, MeterRegistry meters) {
    this.status = status;
    this.areOperatorsGiven = areOperatorsGiven;
    this.refused =
        Counter.builder("galop.management.console.refused")
            .description("Consoles that were refused, as the node has as many as it feeds")
            .register(meters);
  }

  /** Adds its route, and begins to keep the hour. */
  public void mount(Router router, Vertx vertx) {
    router.get(PATH).handler(this::open);
    vertx.setPeriodic(EVERY_MS, timer -> tick());
    look();
  }

  private void open(RoutingContext request) {
    if (pages.size() >= MOST_PAGES) {
      refused.increment();
      String why =
          "this node already feeds %d consoles; close one and load the page again"
              .formatted(MOST_PAGES);
      JsonAnswer.refuse(request, 503, "full", why);
      return;
    }
    Page page = new Page(request.response());
    page.response
        .setChunked(true)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/x-ndjson")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .exceptionHandler(failure -> pages.remove(page))
        .closeHandler(closed -> pages.remove(page));
    pages.add(page);
    JsonObject first = new JsonObject().put("hour", hour.json());
    if (areOperatorsGiven) {
      Login login = AccessGate.login(request);
      first.put(
          "login",
          new JsonObject().put("operator", login.operator()).put("role", login.rights().word()));
    }
    page.response.write(line(first));
    look();
  }

  private void tick() {
    seconds++;
    pages.forEach(page -> page.secondsLeft--);
    List<Page> over = pages.stream().filter(page -> page.secondsLeft <= 0).toList();
    pages.removeAll(over);
    over.forEach(page -> page.response.end());
    if (!pages.isEmpty() || seconds % Hour.EVERY_SECONDS == 0) {
      look();
    }
  }

  /** A slow reading makes the next one late, and is not waited for twice. */
  private void look() {
    if (isReading) {
      return;
    }
    isReading = true;
    status
        .get()
        .onComplete(
            read -> {
              isReading = false;
              if (read.succeeded()) {
                send(read.result());
              } else {
                LOG.warn("the console misses a reading: {}", String.valueOf(read.cause()));
              }
            });
  }

  private void send(JsonObject read) {
    if (hour.isDue(read.getLong("timeMs"))) {
      hour.put(read);
    }
    Buffer line = line(read);
    for (Page page : List.copyOf(pages)) {
      if (page.response.writeQueueFull()) {
        page.skipped++;
        continue;
      }
      if (page.skipped > 0) {
        page.response.write(line(new JsonObject().put("skipped", page.skipped)));
        page.skipped = 0;
      }
      page.response.write(line);
    }
  }

  private static Buffer line(JsonObject object) {
    return object.toBuffer().appendByte((byte) '\n');
  }
}
