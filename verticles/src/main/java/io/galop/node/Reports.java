package io.galop.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the parts of a node can tell on demand, beyond what they count: by name. From any thread.
 */
public final class Reports {
  private final Map<String, Report> reports = new ConcurrentHashMap<>();
  private final Set<String> shared = ConcurrentHashMap.newKeySet();

  /** Answers with what is so at the moment; one with a verb for its name does it first. */
  public interface Report {
    /**
     * Called from any thread.
     *
     * @param parameters as in the query of a request
     * @return a bounded answer
     * @throws IllegalArgumentException naming the parameter and what it may be
     */
    Future<JsonObject> answer(Map<String, String> parameters);
  }

  /** A part can tell something from now on. */
  public void offer(String name, Report report) {
    reports.put(name, report);
  }

  /** The same, and other nodes of the cluster may ask for it, again and again. */
  public void share(String name, Report report) {
    shared.add(name);
    offer(name, report);
  }

  /** Who can tell something that other nodes may ask for, if the node runs such a part. */
  public Optional<Report> findShared(String name) {
    return shared.contains(name) ? find(name) : Optional.empty();
  }

  /** Who can tell something, if the node runs such a part. */
  public Optional<Report> find(String name) {
    return Optional.ofNullable(reports.get(name));
  }
}
