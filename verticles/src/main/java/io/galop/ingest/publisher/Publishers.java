package io.galop.ingest.publisher;

import io.galop.config.GalopConfig;
import io.galop.config.PublisherRules;
import io.galop.config.ingest.IngestConfig;
import io.galop.node.Node;
import io.galop.yaml.ConfigException;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may publish to this node. Takes renewed files; connections of those that are listed no more
 * are ended. Safe to call from any thread, but for {@link #look}, which one thread at a time calls.
 */
public final class Publishers implements Shareable {
  private static final Logger LOG = LoggerFactory.getLogger(Publishers.class);
  private static final String PART = "ingest.publishers";

  private final Node node;
  private final boolean isOpen;
  private final Set<Visitor> present = ConcurrentHashMap.newKeySet();
  private volatile Roster roster;

  /** What the roster was made of, and what the last look has seen, which may be half written. */
  private List<Listed> taken;

  private List<Listed> seen;
  private String refused = "";

  private Publishers(Node node) {
    this.node = node;
    this.isOpen = !node.config().ingest().asksWhoPublishes();
    this.taken = Listed.read(node.config());
    this.seen = taken;
    this.roster = rosterOf(taken, Map.of());
  }

  /**
   * Those of this node, which is one Vert.x; blocks at the first call, to read files.
   *
   * @throws ConfigException if they cannot be used
   */
  public static Publishers of(Vertx vertx, Node node) {
    return vertx
        .sharedData()
        .<String, Publishers>getLocalMap("galop.ingest")
        .computeIfAbsent("publishers", name -> new Publishers(node));
  }

  /** What is wrong with them, each a sentence that begins with a dotted path; blocks. */
  public static List<String> problems(GalopConfig config) {
    try {
      Listed.read(config);
      return List.of();
    } catch (ConfigException e) {
      return e.problems();
    }
  }

  private Roster rosterOf(List<Listed> listed, Map<String, Publisher> before) {
    IngestConfig ingest = node.config().ingest();
    long share =
        Math.max(
            ingest.maxInFlightBytes() / Math.max(1, listed.size()),
            2 * PublisherRules.largestRecordBytes(ingest.limits()));
    return new Roster(
        listed,
        one -> {
          String name = one.config().name();
          Publisher known = before.get(name);
          Publisher publisher = known == null ? new Publisher(name, node.meters()) : known;
          publisher.may(one.config(), share);
          return publisher;
        });
  }

  /** Whether everybody may publish without saying who it is. */
  public boolean isOpen() {
    return isOpen;
  }

  /** Who shows this; empty if nobody does. */
  public Optional<Publisher> find(Credential shown) {
    return isOpen ? Optional.of(Publisher.ANYONE) : roster.find(shown);
  }

  Optional<Publisher> find(Visitor visitor) {
    Credential shown = visitor.shown();
    if (isOpen) {
      return Optional.of(Publisher.ANYONE);
    }
    return visitor.hasUser() ? roster.findUser(shown) : roster.find(shown);
  }

  void enter(Visitor visitor) {
    if (!isOpen) {
      present.add(visitor);
    }
  }

  void leave(Visitor visitor) {
    present.remove(visitor);
  }

  /** Whether there are files that may be renewed. */
  public boolean mayChange() {
    IngestConfig ingest = node.config().ingest();
    return !ingest.tokenFile().isEmpty()
        || !ingest.publishersFile().isEmpty()
        || ingest.publishers().stream().anyMatch(one -> !one.tokenFile().isEmpty());
  }

  /** Takes the files if they have been renewed and are the same for two looks; blocks. */
  public void look() {
    try {
      List<Listed> now = Listed.read(node.config());
      boolean isSettled = now.equals(seen);
      seen = now;
      if (isSettled) {
        refused = "";
        node.readiness().calm(PART, "the list of publishers is taken");
        if (!now.equals(taken)) {
          take(now);
        }
      }
    } catch (ConfigException e) {
      refuse(String.join("; ", e.problems()));
    }
  }

  private void refuse(String problem) {
    if (!problem.equals(refused)) {
      refused = problem;
      LOG.error("publishers: the new list is refused, the one before stays: {}", problem);
    }
    node.readiness()
        .warn(
            PART,
            "the new list of publishers is refused, the one before stays: " + problem,
            "mend the file; it is taken without a restart");
  }

  private void take(List<Listed> now) {
    Map<String, Publisher> before = roster.byName();
    Roster next = rosterOf(now, before);
    taken = now;
    roster = next;
    Set<String> added = new TreeSet<>(next.byName().keySet());
    added.removeAll(before.keySet());
    Set<String> gone = new TreeSet<>(before.keySet());
    gone.removeAll(next.byName().keySet());
    present.forEach(visitor -> visitor.judge(find(visitor)));
    before.values().stream().filter(one -> gone.contains(one.name())).forEach(Publisher::end);
    LOG.info("publishers: new list of {}; added {}, revoked {}", now.size(), added, gone);
  }
}
