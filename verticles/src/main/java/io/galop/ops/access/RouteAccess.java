package io.galop.ops.access;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * All routes of the management port, and what each is to whoever asks: the only place that says so.
 * What does not stand here is not there: {@link AccessGate} lets nobody through to it.
 *
 * @param method of the request
 * @param path normalized, without a slash at its end
 * @param access who may
 */
public record RouteAccess(HttpMethod method, String path, Access access) {
  /** Who may. */
  public enum Access {
    /** Everybody, without a login: for balancers and whoever restarts processes. */
    OPEN,
    /** Whoever has a login. */
    LOOK,
    /** Operators only, who look at what names others. */
    REVIEW,
    /** Operators only; the audit log names it. */
    ACT
  }

  private static final List<RouteAccess> ALL =
      List.of(
          new RouteAccess(HttpMethod.GET, "/health/live", Access.OPEN),
          new RouteAccess(HttpMethod.GET, "/health/ready", Access.OPEN),
          new RouteAccess(HttpMethod.GET, "/health/ready/publish", Access.OPEN),
          new RouteAccess(HttpMethod.GET, "/health/ready/view", Access.OPEN),
          new RouteAccess(HttpMethod.GET, "/", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/feed", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/console.css", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/console.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/dom.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/way.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/plots.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/parts.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/acts.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/explain.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/alarms.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/presence.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/shards.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/faults.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/runbook.md", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/topics.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/drills.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/viewers.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/console/letters.js", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/status", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/metrics", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/viewers", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/ledger", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/headroom", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/conditions", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/explain", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/presence", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/shards", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/topics", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/topics/history", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/dead-letters", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/drills", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/scripts", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/alarms", Access.LOOK),
          new RouteAccess(HttpMethod.GET, "/audit", Access.REVIEW),
          new RouteAccess(HttpMethod.GET, "/viewers/frames", Access.REVIEW),
          new RouteAccess(HttpMethod.POST, "/viewers/frames", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/alarms/acknowledge", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/alarms/shelve", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/alarms/unshelve", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/dead-letters/redrive", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/drain", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/drills", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/scripts", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/config", Access.ACT),
          new RouteAccess(HttpMethod.POST, "/viewers/disconnect", Access.ACT));

  /** All there are. */
  public static List<RouteAccess> all() {
    return ALL;
  }

  /** The one of a request. */
  static Optional<RouteAccess> of(HttpMethod method, String path) {
    return ALL.stream().filter(one -> one.method.equals(method) && one.has(path)).findFirst();
  }

  /** The methods that a path has, as an {@code Allow} header names them; empty: no such path. */
  static String methods(String path) {
    return ALL.stream()
        .filter(one -> one.has(path))
        .map(one -> one.method.name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** As the router matches: a slash at the end is none. */
  private boolean has(String asked) {
    return path.equals(asked) || !path.equals("/") && asked.equals(path + "/");
  }
}
