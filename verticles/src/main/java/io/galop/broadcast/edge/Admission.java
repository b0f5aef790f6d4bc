package io.galop.broadcast.edge;

import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.record.View;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the browser behind a request, and what it is allowed: made for each request by
 * {@link Edge#admit}, and kept by a session from the request that opened it. A session must be
 * served only to requests whose Admission {@link #isSameViewer} as that one.
 */
public final class Admission {
  private static final String KEY = Admission.class.getName();

  private final Edge edge;
  private final Optional<Viewer> viewer;
  private final boolean isDrill;
  private Supplier<String> finder;

  /** Null until it is asked for: most requests go on with a session, and nobody asks. */
  private @Nullable String address;

  /**
   * @param finder says where the browser is; called at most once, while the request is handled
   */
  Admission(Edge edge, Supplier<String> finder, Optional<Viewer> viewer) {
    this(edge, finder, viewer, false);
  }

  /**
   * @param isDrill whether it is this node itself, which is shown topics of drills only
   */
  Admission(Edge edge, Supplier<String> finder, Optional<Viewer> viewer, boolean isDrill) {
    this.isDrill = isDrill;
    this.edge = edge;
    this.finder = finder;
    this.viewer = viewer;
  }

  void putInto(RoutingContext context) {
    context.put(KEY, this);
  }

  /** Of a request that {@link Edge#admit} has let through. */
  public static Admission of(RoutingContext context) {
    Admission admission = context.get(KEY);
    if (admission == null) {
      throw new IllegalStateException("no admission was made for " + context.request().path());
    }
    return admission;
  }

  /**
   * Whether a request may go on with a session that another has opened: both showed the same token,
   * or both none. The address may change, as it does for a browser on the move.
   */
  public boolean isSameViewer(Admission other) {
    return isDrill == other.isDrill
        && viewer.map(Viewer::digest).equals(other.viewer.map(Viewer::digest));
  }

  /** Where the browser is, as limits count it; behind trusted proxies what they say. */
  public String address() {
    String known = address;
    if (known == null) {
      known = finder.get();
      address = known;
      finder = () -> "";
    }
    return known;
  }

  /** Whom the token names; empty where there is none, or it names nobody. */
  public String subject() {
    return viewer.map(Viewer::subject).orElse("");
  }

  /** Whether the browser may register a filter. */
  public boolean sees(TopicFilter filter) {
    return isDrill
        ? Topic.isDrill(filter.toString())
        : viewer.map(known -> known.sees(filter)).orElse(!edge.asksForTokens());
  }

  /** Whether topics that start with $ are shown to it, whatever the configuration says. */
  public boolean seesReserved() {
    return isDrill;
  }

  /** What of the records the browser is shown. */
  public View view() {
    return viewer.map(Viewer::view).orElse(View.WHOLE);
  }

  /** Whether the token is good now; it may be revoked at any time. */
  public Tokens.State state() {
    return viewer.map(edge::state).orElse(Tokens.State.GOOD);
  }

  /** Until when all this holds, in milliseconds since 1970 UTC; the largest number for ever. */
  public long expiresMs() {
    return viewer.map(Viewer::expiresMs).orElse(Long.MAX_VALUE);
  }

  /**
   * The same browser with another token.
   *
   * @throws TokenRefused if the token is no good, or another's
   */
  public Admission renewed(String token) throws TokenRefused {
    String known = address();
    return new Admission(edge, () -> known, Optional.of(edge.renewed(viewer, token)));
  }

  /**
   * Asks for a place for one more viewer: to be called before a session is made or a websocket
   * accepted. A place that was given must be given back by {@link #leave}, once.
   *
   * @return why there is none; empty: come in
   */
  public Optional<EdgeRefusal> enter() {
    if (!isDrill && viewer.isEmpty() && edge.asksForTokens()) {
      throw new IllegalStateException("a path that needs no token opens no session");
    }
    Optional<EdgeRefusal> refusal =
        viewer.flatMap(edge::refusal).or(edge::closed).or(() -> edge.seats().take(address()));
    refusal.ifPresent(edge::counted);
    return refusal;
  }

  /** Gives the place back: the viewer has gone, or the websocket did not come about. */
  public void leave() {
    edge.seats().giveBack(address());
  }

  /**
   * Counts one more registered filter, to be given back by {@link #unregister}.
   *
   * @return the dotted path of the limit that forbids it; empty: it may
   */
  public String register() {
    return edge.seats().register(address());
  }

  /** So many filters are no longer registered. */
  public void unregister(int count) {
    edge.seats().unregister(address(), count);
  }
}
