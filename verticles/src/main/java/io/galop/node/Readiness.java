package io.galop.node;

import io.galop.node.Condition.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a node from being ready, and for whom, by the name of the part that says so. A part
 * names itself when it is built and clears itself when it can do its work. A part has at most one
 * reason and one warning at a time; each keeps the moment at which it began while its words change.
 * Safe to call from any thread.
 */
public final class Readiness {
  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
  private static final long LOOK_MS = 5;
  private final Map<String, Condition> reasons = new ConcurrentHashMap<>();
  private final Map<String, Condition> warnings = new ConcurrentHashMap<>();
  private final List<Runnable> drains = new CopyOnWriteArrayList<>();

  /** The part cannot do its work, and why; nobody should come. */
  public void unready(String part, String reason) {
    unready(part, reason, Audience.all());
  }

  /** The part cannot do its work, and why, and who should not come. */
  public void unready(String part, String reason, Set<Audience> of) {
    put(reasons, new Condition(part, Level.UNREADY, of, reason, "", Instant.now()));
  }

  /** The part cannot do its work, and why; viewers should not come. */
  public void unreadyForViewers(String part, String reason) {
    unready(part, reason, Set.of(Audience.VIEWERS));
  }

  /** The part can do its work. */
  public void ready(String part) {
    reasons.remove(part);
  }

  /** Records are refused, and why; viewers are served as ever. Logged when it begins. */
  public void refuse(String part, String what, String advice) {
    Set<Audience> of = Set.of(Audience.PUBLISHERS);
    Condition refusal = new Condition(part, Level.REFUSING, of, what, advice, Instant.now());
    begin(put(warnings, refusal), part);
  }

  /** The part does its work, but not all of it, and why; the node stays ready. */
  public void warn(String part, String what) {
    warn(part, what, "");
  }

  /** The same with what to do about it. Logged when it begins. */
  public void warn(String part, String what, String advice) {
    warn(part, what, advice, Instant.now());
  }

  /** The same of something that is known to have begun earlier. */
  public void warn(String part, String what, String advice, Instant since) {
    Condition warning = new Condition(part, Level.WARNING, Set.of(), what, advice, since);
    begin(put(warnings, warning), part);
  }

  /** The same of several things, of which the first that still lasts may be another than before. */
  public void warnFrom(String part, String what, String advice, Instant since) {
    warn(part, what, advice, since);
    warnings.computeIfPresent(part, (same, now) -> now.beganAt(since));
  }

  /**
   * The same where the words name viewers or topics, which are for who has a login.
   *
   * @param open the words for everybody
   */
  public void warnNaming(String part, String what, String open, String advice) {
    Condition warning =
        new Condition(part, Level.WARNING, Set.of(), what, open, advice, Instant.now());
    begin(put(warnings, warning), part);
  }

  private void begin(boolean isNew, String part) {
    Condition now = warnings.get(part);
    if (isNew && now != null) {
      LOG.warn("{}: {}", part, now.text());
    }
  }

  /**
   * @return whether there was no such condition of that level
   */
  private static boolean put(Map<String, Condition> conditions, Condition now) {
    Condition before = conditions.get(now.part());
    conditions.merge(now.part(), now, (old, fresh) -> fresh.beganWith(old));
    return before == null || before.level() != now.level();
  }

  /** There is nothing to warn of, and nothing is refused, any more. Logged if there was. */
  public void calm(String part) {
    calm(part, "over");
  }

  /** The same, and how it ended. */
  public void calm(String part, String how) {
    Condition ended = warnings.remove(part);
    if (ended != null) {
      Duration lasted = ended.age().truncatedTo(ChronoUnit.SECONDS);
      LOG.info("{}: {}, after {} s", part, how, lasted.toSeconds());
    }
  }

  /** Part → reason of all that do not do all of their work although the node is ready. */
  public Map<String, String> warnings() {
    return texts(warnings);
  }

  /** Part → reason of all that are not ready. */
  public Map<String, String> reasons() {
    return texts(reasons);
  }

  private static Map<String, String> texts(Map<String, Condition> conditions) {
    Map<String, String> texts = new TreeMap<>();
    conditions.forEach((part, condition) -> texts.put(part, condition.text()));
    return texts;
  }

  /** Part → what keeps these people from what the node is for. */
  public Map<String, String> reasons(Audience audience) {
    Map<String, String> texts = new TreeMap<>();
    conditions().stream()
        .filter(condition -> condition.of().contains(audience))
        .forEach(condition -> texts.put(condition.part(), condition.text()));
    return texts;
  }

  /** All that is not as it should be, what began first before the others. */
  public List<Condition> conditions() {
    return Stream.concat(reasons.values().stream(), warnings.values().stream())
        .sorted(Comparator.comparing(Condition::since).thenComparing(Condition::part))
        .toList();
  }

  /** A part that sends its clients to other nodes when it is asked to. */
  public void onDrain(Runnable drain) {
    drains.add(drain);
  }

  /** Asks all parts to send their clients to other nodes, for good. */
  public void drain() {
    drains.forEach(Runnable::run);
  }

  /** Whether every part can do its work; a node whose disk is full can show what it has. */
  public boolean isReady() {
    return reasons.isEmpty();
  }

  /** Waits until a part can do its work, or so long; blocks. */
  public void await(String part, long ms) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (reasons.containsKey(part) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
    }
  }
}
