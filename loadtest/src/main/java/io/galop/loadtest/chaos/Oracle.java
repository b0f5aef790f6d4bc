package io.galop.loadtest.chaos;

import io.galop.loadtest.chaos.Journal.Event;
import io.galop.loadtest.chaos.OracleVerdict.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares ids that were acknowledged with what is in each store and with what each viewer was
 * shown and told.
 *
 * <p>A viewer is owed every record that was first sent after its first {@code live}. It has been
 * told that one is missing if {@code resumed} with {@code complete: false} came after the record
 * was sent, and the {@code live} that ends this answer names a Position of its shard not before the
 * record's; where nobody knows the record's Position the time decides alone. Being told that the
 * feed is stale excuses nothing: once it is fresh all is owed.
 */
public final class Oracle {
  private final Evidence evidence;
  private final OracleVerdict verdict = new OracleVerdict();
  private final Map<String, List<SeenPosition>> positions = new HashMap<>();

  private Oracle(Evidence evidence) {
    this.evidence = evidence;
  }

  public static OracleVerdict judge(Evidence evidence) {
    return new Oracle(evidence).judge();
  }

  private OracleVerdict judge() {
    evidence.positions().forEach(this::know);
    for (Journal journal : evidence.journals()) {
      for (Event event : journal.events()) {
        if (event.id() != null && event.position() != null) {
          know(event.id(), event.position());
        }
      }
    }
    evidence.stores().forEach(this::judgeStore);
    evidence.journals().forEach(this::judgeViewer);
    return verdict;
  }

  private void know(String id, SeenPosition position) {
    List<SeenPosition> known = positions.computeIfAbsent(id, unused -> new ArrayList<>(1));
    if (!known.contains(position)) {
      known.add(position);
    }
  }

  private void judgeStore(String store, List<String> keys) {
    Set<String> found = new HashSet<>();
    for (String key : keys) {
      if (!found.add(key)) {
        verdict.add(Violation.DOUBLED, store, key);
      }
    }
    for (PublishedRecords.Entry entry : evidence.published()) {
      if (entry.isAcknowledged() && !found.contains(entry.id())) {
        verdict.add(Violation.LOST, store, entry.topic() + " " + entry.id() + known(entry.id()));
      }
    }
  }

  private String known(String id) {
    return " at " + positions.getOrDefault(id, List.of());
  }

  /** That something is missing: until when, and up to which Positions. */
  private record Announcement(Event told, @Nullable Map<Integer, SeenPosition> live) {}

  private void judgeViewer(Journal journal) {
    List<Announcement> announcements = new ArrayList<>();
    Map<String, SeenPosition> onScreen = new HashMap<>();
    Set<String> everShown = new HashSet<>();
    long owedFromNs = Long.MAX_VALUE;
    Deque<Event> told = new ArrayDeque<>();
    boolean isBack = false;
    for (Event event : journal.events()) {
      switch (event.kind()) {
        case SHOWN -> {
          everShown.add(event.id());
          SeenPosition before = onScreen.put(event.id(), event.position());
          if (before != null) {
            verdict.add(Violation.SHOWN_TWICE, journal.viewer(), twice(event, before));
          }
        }
        case INCOMPLETE -> {
          onScreen.clear();
          told.add(event);
        }
        case LIVE -> {
          owedFromNs = Math.min(owedFromNs, event.atNs());
          // Each gap has an end of its own; coming back ends all that were told before.
          for (int ends = isBack ? told.size() : Math.min(1, told.size()); ends > 0; ends--) {
            announcements.add(new Announcement(told.remove(), event.live()));
          }
          isBack = false;
        }
        case ENDED -> isBack = true;
        default -> {}
      }
    }
    told.forEach(event -> announcements.add(new Announcement(event, null)));
    if (owedFromNs == Long.MAX_VALUE) {
      verdict.add(Violation.SILENT, journal.viewer(), "was never live");
    } else {
      judgeMissing(journal.viewer(), owedFromNs, everShown, announcements);
    }
  }

  private static String twice(Event event, SeenPosition before) {
    return event.id() + " at " + before + " and at " + event.position();
  }

  private void judgeMissing(
      String viewer, long owedFromNs, Set<String> shown, List<Announcement> announcements) {
    Set<Announcement> needed = new HashSet<>();
    for (PublishedRecords.Entry entry : evidence.published()) {
      boolean isOwed = entry.isAcknowledged() && entry.sentNs() - owedFromNs > 0;
      if (isOwed && !shown.contains(entry.id())) {
        Optional<Announcement> first =
            announcements.stream().filter(one -> covers(one, entry)).findFirst();
        if (first.isPresent()) {
          needed.add(first.get());
          verdict.addTold();
        } else {
          String words = entry.topic() + " " + entry.id() + known(entry.id());
          verdict.add(Violation.SILENT, viewer, words);
        }
      }
    }
    for (Announcement one : announcements) {
      if (!needed.contains(one)) {
        String since = String.valueOf(one.told().id());
        verdict.addNeedless(new OracleVerdict.Needless(viewer, one.told().atNs(), since));
      }
    }
  }

  private boolean covers(Announcement announcement, PublishedRecords.Entry entry) {
    if (entry.sentNs() - announcement.told().atNs() > 0) {
      return false;
    }
    List<SeenPosition> known = positions.get(entry.id());
    if (known == null || announcement.live() == null) {
      return true;
    }
    return known.stream()
        .anyMatch(
            position -> {
              SeenPosition live = announcement.live().get(position.shard());
              return live != null && position.isUpTo(live);
            });
  }
}
