package io.galop.broadcast.edge;

import io.galop.config.GalopConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.record.View;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps {@code /history/{topic or filter}} to those whose token covers the filter, as the live feed
 * is: whoever may not watch a topic may not read it up either. Who answers finds under the name of
 * {@link View} what of the records is to be shown. {@code /presence} is for those whose token
 * covers {@code $presence/#}; where no token is asked for, for nobody. One per node.
 */
public final class TopicGate {
  private static final String PATH = "/history/";
  private static final String PRESENCE = "/presence";

  /** What a token must cover for whoever asks how many viewers there are. */
  private static final TopicFilter ALL_PRESENCE =
      TopicFilter.parse(Topic.PRESENCE + "#", Integer.MAX_VALUE);

  /** What an answer says of itself: a page of another site could not read it otherwise. */
  private static final String EXPOSED = "X-Galop-Incomplete, X-Galop-Next, X-Galop-Reduced";

  private final Origins origins;
  private final Optional<Tokens> tokens;
  private final int maxFilterBytes;

  /**
   * @param tokens what viewers have to show; empty: nothing
   */
  public TopicGate(GalopConfig config, Optional<Tokens> tokens) {
    this.origins = new Origins(config.broadcast().origins());
    this.tokens = tokens;
    this.maxFilterBytes = config.broadcast().maxFilterBytes();
  }

  /** Adds the route; to be called before those that answer. */
  public void mount(Router router) {
    router.route(PATH + "*").handler(TopicGate::asWritten);
    router.route(PATH + "*").handler(this::mark);
    router.route(PRESENCE).handler(this::mark);
    if (tokens.isPresent()) {
      Tokens asked = tokens.get();
      router
          .route(PATH + "*")
          .handler(context -> check(context, asked, () -> filter(context.request().path())));
      router.route(PRESENCE).handler(context -> check(context, asked, () -> ALL_PRESENCE));
    } else {
      router.route(PRESENCE).handler(TopicGate::nobody);
    }
  }

  /**
   * Routes also match paths such as {@code /%68istory}, behind which the filter would begin
   * elsewhere.
   */
  private static void asWritten(RoutingContext context) {
    if ((context.request().path() + "/").startsWith(PATH)) {
      context.next();
    } else {
      String message = "the path is to begin with " + PATH + " as it is";
      new EdgeRefusal(404, "invalid_address", message, 0).answer(context);
    }
  }

  private static void nobody(RoutingContext context) {
    String message = "only who shows a token may ask, and none is asked for here";
    new EdgeRefusal(403, "access_denied", message, 0).answer(context);
  }

  /**
   * A page of another site may read an answer if it may connect to the live feed. Nothing may take
   * an answer for a script or a page.
   */
  private void mark(RoutingContext context) {
    HttpServerResponse response = context.response();
    response.putHeader("X-Content-Type-Options", "nosniff");
    boolean isAllowed = origins.mark(context.request(), response);
    if (isAllowed) {
      response.putHeader("Access-Control-Expose-Headers", EXPOSED);
    }
    if (context.request().method() != HttpMethod.OPTIONS) {
      context.next();
      return;
    }
    if (isAllowed) {
      response.putHeader("Access-Control-Allow-Methods", "GET");
      response.putHeader("Access-Control-Allow-Headers", "Authorization, Accept");
      response.putHeader("Access-Control-Max-Age", "3600");
    }
    response.setStatusCode(204).putHeader("Allow", "GET, HEAD, OPTIONS").end();
  }

  private static void check(RoutingContext context, Tokens asked, Supplier<TopicFilter> wanted) {
    try {
      Viewer viewer = asked.read(Edge.token(context.request()));
      asked.check(viewer);
      TopicFilter filter = wanted.get();
      if (viewer.sees(filter)) {
        context.put(View.class.getName(), viewer.view());
        context.next();
      } else {
        String message = "the token does not allow '" + filter + "'";
        new EdgeRefusal(403, "access_denied", message, 0).answer(context);
      }
    } catch (TokenRefused e) {
      Edge.unauthorized(e).answer(context);
    } catch (IllegalArgumentException e) {
      new EdgeRefusal(400, "invalid_address", String.valueOf(e.getMessage()), 0).answer(context);
    }
  }

  /** The route is also that of the path without its last slash. */
  private static String behind(String path) {
    return path.substring(Math.min(PATH.length(), path.length()));
  }

  /** Percent-encoding only: a plus in a path is a plus, and here a wildcard. */
  private TopicFilter filter(String path) {
    String text =
        QueryStringDecoder.decodeComponent(
            behind(path).replace("+", "%2B"), StandardCharsets.UTF_8);
    return TopicFilter.parse(text, maxFilterBytes);
  }
}
