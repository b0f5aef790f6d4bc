package io.galop.broadcast.edge;

import io.galop.config.GalopConfig;
import io.galop.config.IpAddress;
import io.galop.config.TrustedProxies;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.broadcast.ViewerLimitsConfig;
import io.galop.node.DrillPass;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Judges every request to the live feed before anything else does. One per node. */
public final class Edge {
  /** Of a session that may be open already: its token may have been renewed meanwhile. */
  private static final Pattern SESSION = Pattern.compile("/live/[^/.]+/[^/.]+/[^/.]+");

  /** What shows nothing: the greeting, and the pages of the iframe transports. */
  private static final Pattern STATIC = Pattern.compile("/live/?|/live/iframe[^/]*\\.html");

  /** What a browser asks before it opens a session. */
  private static final String INFO = "/live/info";

  private static final int COME_AGAIN_SECONDS = 1;

  private static final String BEARER = "Bearer ";

  private static final String SHUTDOWN = "shutdown";

  /** Why requests are refused: counted from 0 on, as who watches a rate misses a first one. */
  private static final List<String> REASONS =
      List.of(
          Origins.DENIED,
          Seats.FULL,
          Seats.ADDRESS_FULL,
          Seats.TOO_FAST,
          SHUTDOWN,
          TokenRefused.MISSING,
          TokenRefused.INVALID,
          TokenRefused.EXPIRED,
          TokenRefused.REVOKED,
          TokenRefused.KEY_GONE,
          TokenRefused.KEYS_AWAITED);

  private final Origins origins;
  private final Seats seats;
  private final Optional<Tokens> tokens;
  private final TrustedProxies proxies;
  private final MeterRegistry meters;
  private volatile boolean isClosed;

  /**
   * @param tokens what viewers have to show; empty: nothing
   */
  public Edge(GalopConfig galop, MeterRegistry meters, Optional<Tokens> tokens) {
    BroadcastConfig config = galop.broadcast();
    this.meters = meters;
    this.proxies = galop.http().proxies();
    this.origins = new Origins(config.origins());
    this.seats = new Seats(config);
    Gauge.builder("galop.broadcast.registrations", seats::registered)
        .description("Filters that browsers have registered")
        .register(meters);
    REASONS.forEach(this::refused);
    this.tokens = tokens;
  }

  /** Takes other limits; from any thread. */
  public void limit(ViewerLimitsConfig limits) {
    seats.limit(limits);
  }

  /** Nobody new is let in any more; those who are there may stay. */
  public void close() {
    isClosed = true;
  }

  /** Whether somebody new may come in at all, whoever it is. */
  Optional<EdgeRefusal> closed() {
    String message = "this node is shutting down; come back, another may answer";
    return isClosed
        ? Optional.of(new EdgeRefusal(503, SHUTDOWN, message, COME_AGAIN_SECONDS))
        : Optional.empty();
  }

  /** A handler to be mounted before all others below {@code /live}. */
  public void admit(RoutingContext context) {
    Optional<EdgeRefusal> refusal = origins.judge(context).or(() -> admitViewer(context));
    if (refusal.isPresent()) {
      counted(refusal.get()).answer(context);
    } else {
      context.next();
    }
  }

  /** A handler before a path whose viewers show their token later: judges the page's origin. */
  public void admitOrigin(RoutingContext context) {
    Optional<EdgeRefusal> refusal = origins.judge(context);
    if (refusal.isPresent()) {
      counted(refusal.get()).answer(context);
    } else {
      context.next();
    }
  }

  /** Where a request comes from, as limits count it; behind trusted proxies what they say. */
  public String site(HttpServerRequest request) {
    List<String> forwarded = request.headers().getAll("X-Forwarded-For");
    return IpAddress.parse(request.remoteAddress().hostAddress())
        .map(peer -> proxies.client(peer, forwarded).site())
        .orElse("unknown");
  }

  /**
   * Judges who comes without a request.
   *
   * @param token what it shows; empty: nothing
   * @param site where it is, as limits count it
   * @throws TokenRefused if it may not come in; that is counted
   */
  public Admission admit(String token, String site) throws TokenRefused {
    boolean isDrill = DrillPass.isShownBy(token);
    Optional<Viewer> viewer = Optional.empty();
    if (tokens.isPresent() && !isDrill) {
      try {
        if (token.isEmpty()) {
          throw new TokenRefused(TokenRefused.MISSING, "a token is asked for here");
        }
        viewer = Optional.of(tokens.get().read(token));
      } catch (TokenRefused e) {
        counted(unauthorized(e));
        throw e;
      }
    }
    return new Admission(this, () -> site, viewer, isDrill);
  }

  private Optional<EdgeRefusal> admitViewer(RoutingContext context) {
    try {
      HttpServerRequest request = context.request();
      boolean isDrill = DrillPass.isShownBy(request.getHeader(DrillPass.HEADER));
      Optional<Viewer> viewer = isDrill ? Optional.empty() : viewer(request);
      new Admission(this, () -> site(request), viewer, isDrill).putInto(context);
      return request.path().equals(INFO) ? closed() : Optional.empty();
    } catch (TokenRefused e) {
      return Optional.of(unauthorized(e));
    }
  }

  /** Counts a refusal. */
  EdgeRefusal counted(EdgeRefusal refusal) {
    refused(refusal.reason()).increment();
    return refusal;
  }

  private Counter refused(String reason) {
    return Counter.builder("galop.broadcast.refused")
        .description("Requests to the live feed that were turned away before they had a session")
        .tag("reason", reason)
        .register(meters);
  }

  private Optional<Viewer> viewer(HttpServerRequest request) throws TokenRefused {
    boolean showsNothing =
        request.method() == HttpMethod.OPTIONS || STATIC.matcher(request.path()).matches();
    if (tokens.isEmpty() || showsNothing) {
      return Optional.empty();
    }
    Viewer viewer = tokens.get().read(token(request));
    if (!SESSION.matcher(request.path()).matches()) {
      tokens.get().check(viewer);
    }
    return Optional.of(viewer);
  }

  /** The header counts where there are both: it is what a program sets on purpose. */
  static String token(HttpServerRequest request) throws TokenRefused {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return header.substring(BEARER.length()).strip();
    }
    String parameter = parameter(request);
    if (parameter == null || parameter.isEmpty()) {
      throw new TokenRefused(
          TokenRefused.MISSING,
          "a token is asked for here: the header Authorization: Bearer …, or ?token=… for the live"
              + " feed");
    }
    return parameter;
  }

  private static String parameter(HttpServerRequest request) throws TokenRefused {
    try {
      return request.getParam("token");
    } catch (IllegalArgumentException badlyEncoded) {
      throw TokenRefused.invalid("a parameter of the address is not percent-encoded as it must be");
    }
  }

  boolean asksForTokens() {
    return tokens.isPresent();
  }

  Viewer renewed(Optional<Viewer> before, String token) throws TokenRefused {
    if (tokens.isEmpty() || before.isEmpty()) {
      throw new TokenRefused(TokenRefused.NOT_ASKED, "this node asks for no token");
    }
    Viewer viewer = tokens.get().read(token);
    tokens.get().check(viewer);
    if (!viewer.subject().equals(before.get().subject())) {
      throw new TokenRefused(
          TokenRefused.OTHER_SUBJECT, "the token is for another sub than the one before");
    }
    if (!viewer.view().equals(before.get().view())) {
      throw new TokenRefused(
          TokenRefused.OTHER_VIEW, "the token has another view than the one before; reconnect");
    }
    return viewer;
  }

  static TokenRefused expired() {
    return new TokenRefused(TokenRefused.EXPIRED, "the token has expired; come with a new one");
  }

  Tokens.State state(Viewer viewer) {
    return tokens.map(known -> known.state(viewer)).orElse(Tokens.State.GOOD);
  }

  /** Why a token that was read may not be used; empty: it may. */
  Optional<EdgeRefusal> refusal(Viewer viewer) {
    if (tokens.isPresent()) {
      try {
        tokens.get().check(viewer);
      } catch (TokenRefused e) {
        return Optional.of(unauthorized(e));
      }
    }
    return Optional.empty();
  }

  /**
   * Adds who is asked to look at all tokens of an event loop when some may have become bad; see
   * {@link Tokens#watch}.
   *
   * @return ends that
   */
  public Runnable watchTokens(Supplier<Future<Integer>> loop) {
    return tokens.map(known -> known.watch(loop)).orElse(() -> {});
  }

  static EdgeRefusal unauthorized(TokenRefused why) {
    if (why.isForNow()) {
      return new EdgeRefusal(503, why.reason(), why.getMessage(), COME_AGAIN_SECONDS);
    }
    return new EdgeRefusal(401, why.reason(), why.getMessage(), 0);
  }

  Seats seats() {
    return seats;
  }
}
