package io.galop.loadtest.chaos.balance;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the Ledgers of a run's nodes told, read several times: a process takes its counts with it,
 * and what it told before stays known. A minute is whole if every process that ran in it has told
 * it; of the others is said what is not known.
 */
public final class Balance {
  private static final String NOT_TOLD = "it has not told the minute yet";
  private static final String NO_ANSWER = "it did not answer";
  private static final int MOST_LINES = 12;

  private final long minuteMs;
  private final Map<Long, Minute> minutes = new TreeMap<>();
  private final Map<Place, Long> residuals =
      new TreeMap<>(
          Comparator.comparing(Place::atMs)
              .thenComparing(Place::stage)
              .thenComparing(Place::node)
              .thenComparing(Place::shard)
              .thenComparing(Place::direction));

  /** Of each minute that does not balance: it names a limited number of shards. */
  private final Map<Long, Long> told = new TreeMap<>();

  private Set<String> unanswered = Set.of();
  private boolean isRead;
  private boolean isLastTold = true;

  /**
   * Of minutes of a length.
   *
   * @param minuteMs 60,000 but in tests
   */
  public Balance(long minuteMs) {
    this.minuteMs = minuteMs;
  }

  /** What is known of a minute: nothing that is not, if it is whole. */
  private record Minute(Set<String> gone, List<String> open) {
    boolean isWhole() {
      return gone.isEmpty() && open.isEmpty();
    }
  }

  private record Place(long atMs, String stage, String node, int shard, String direction) {
    JsonObject toJson(long records) {
      return new JsonObject()
          .put("minute", Instant.ofEpochMilli(atMs).toString())
          .put("stage", stage)
          .put("node", node)
          .put("shard", shard)
          .put("direction", direction)
          .put("records", records);
    }

    String words(long records) {
      return "minute %s: %s %s %d by %s in shard %d"
          .formatted(Instant.ofEpochMilli(atMs), stage, direction, records, node, shard);
    }
  }

  /**
   * Takes what was read.
   *
   * @param untilMs the last moment of which minutes are wanted
   * @param lives of all processes so far
   * @param answers to {@code GET /ledger}: of a member for all of them, of each relay for itself
   */
  public void read(long untilMs, List<ProcessLife> lives, List<JsonObject> answers) {
    isRead = true;
    unanswered = unanswered(lives, answers);
    Map<Long, List<JsonObject>> named = new TreeMap<>();
    long first = lives.stream().mapToLong(ProcessLife::fromMs).min().orElse(untilMs);
    for (long at = minute(first); at <= untilMs; at += minuteMs) {
      named.put(at, new ArrayList<>());
    }
    for (JsonObject answer : answers) {
      for (Object each : answer.getJsonArray("minutes")) {
        JsonObject minute = (JsonObject) each;
        long at = Instant.parse(minute.getString("minute")).toEpochMilli();
        named.computeIfAbsent(at, unnamed -> new ArrayList<>()).add(minute);
        residual(at, minute);
      }
    }
    named.forEach(
        (at, all) -> {
          Minute now = new Minute(gone(at, lives), open(at, all, lives, answers));
          if (!all.isEmpty() || !now.isWhole()) { // else no process had come to count
            minutes.merge(at, now, (before, after) -> before.isWhole() ? before : after);
          }
        });
  }

  private long minute(long ms) {
    return Math.floorDiv(ms, minuteMs) * minuteMs;
  }

  private static Set<String> answered(JsonObject answer) {
    return answer.getJsonArray("nodes").stream()
        .map(Object::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> unanswered(List<ProcessLife> lives, List<JsonObject> answers) {
    Set<String> all = new TreeSet<>();
    lives.stream().filter(ProcessLife::goesOn).forEach(life -> all.add(life.node()));
    answers.forEach(answer -> all.removeAll(answered(answer)));
    return all;
  }

  private void residual(long at, JsonObject minute) {
    long residual = minute.getLong("residual");
    if (residual == 0) {
      return;
    }
    told.merge(at, residual, Math::max);
    JsonObject stages = minute.getJsonObject("stages");
    for (String stage : stages.fieldNames()) {
      for (Object each : stages.getJsonObject(stage).getJsonArray("shards", new JsonArray())) {
        JsonObject shard = (JsonObject) each;
        String node = shard.getString("node");
        if (isOpen(minute, node)) {
          continue; // not all of it is known, so that it is in no residual
        }
        int number = shard.getInteger("shard");
        Place place = new Place(at, stage, node, number, shard.getString("direction"));
        residuals.merge(place, shard.getLong("records"), Math::max);
      }
    }
  }

  private static boolean isOpen(JsonObject minute, String node) {
    return ("; " + minute.getString("why", "")).contains("; " + node + ": ");
  }

  /** Nodes of which a process has ended that was there in the minute. */
  private Set<String> gone(long at, List<ProcessLife> lives) {
    return lives.stream()
        .filter(life -> !life.goesOn() && life.overlaps(at, at + minuteMs))
        .map(ProcessLife::node)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<String> open(
      long at, List<JsonObject> told, List<ProcessLife> lives, List<JsonObject> answers) {
    List<String> open = new ArrayList<>();
    told.stream()
        .filter(minute -> !minute.getBoolean("settled"))
        .forEach(minute -> open.add(minute.getString("why")));
    for (ProcessLife life : lives) {
      if (life.goesOn() && life.overlaps(at, at + minuteMs)) {
        if (unanswered.contains(life.node())) {
          open.add(life.node() + ": " + NO_ANSWER);
        } else if (answers.stream().noneMatch(answer -> isBeyond(answer, life.node(), at))) {
          open.add(life.node() + ": " + NOT_TOLD);
        }
      }
    }
    return open;
  }

  /** Minutes are told in order; those before the first are of before it counted. */
  private static boolean isBeyond(JsonObject answer, String node, long at) {
    String name = Instant.ofEpochMilli(at).toString();
    return answered(answer).contains(node)
        && answer.getJsonArray("minutes").stream()
            .anyMatch(minute -> ((JsonObject) minute).getString("minute").compareTo(name) >= 0);
  }

  /** Whether every node has answered and has told all minutes up to that of a moment. */
  public boolean isTold(long ms) {
    Minute last = minutes.get(minute(ms));
    return last != null
        && unanswered.isEmpty()
        && last.open().stream().noneMatch(why -> why.contains(NOT_TOLD));
  }

  /** Records that were lost or doubled, of all minutes that were told at any time. */
  public long residual() {
    long sum = 0;
    for (Map.Entry<Long, Long> minute : told.entrySet()) {
      long named =
          residuals.entrySet().stream()
              .filter(one -> one.getKey().atMs() == minute.getKey())
              .mapToLong(Map.Entry::getValue)
              .sum();
      sum += Math.max(named, minute.getValue());
    }
    return sum;
  }

  /**
   * Nothing is read any more, however long the minute of a moment would still take. A stage in
   * which records hang never tells it.
   */
  public void end(long ms) {
    isLastTold = isTold(ms);
  }

  /** Whether all nodes answered in the end, had told the last minute, and nothing is amiss. */
  public boolean isRight() {
    return isRead && unanswered.isEmpty() && isLastTold && residual() == 0;
  }

  private long whole() {
    return minutes.values().stream().filter(Minute::isWhole).count();
  }

  private long gone() {
    return minutes.values().stream().filter(minute -> !minute.gone().isEmpty()).count();
  }

  /** What is known, and of what is not why. */
  public JsonObject toJson() {
    JsonArray places = new JsonArray();
    residuals.forEach((place, records) -> places.add(place.toJson(records)));
    JsonArray notWhole = new JsonArray();
    minutes.forEach(
        (at, minute) -> {
          if (!minute.isWhole()) {
            notWhole.add(
                new JsonObject()
                    .put("minute", Instant.ofEpochMilli(at).toString())
                    .put("goneWithProcessesOf", new JsonArray(List.copyOf(minute.gone())))
                    .put("notSettled", new JsonArray(minute.open())));
          }
        });
    return new JsonObject()
        .put("isRight", isRight())
        .put("residual", residual())
        .put("residuals", places)
        .put("minutes", minutes.size())
        .put("whole", whole())
        .put("notWhole", notWhole)
        .put("unanswered", new JsonArray(List.copyOf(unanswered)));
  }

  /** In one line. */
  public String summary() {
    long whole = whole();
    long gone = gone();
    long open = minutes.size() - whole - gone;
    String text =
        "residual %d; of %d minutes %d are whole, of %d counts went with a process, %d not settled"
            .formatted(residual(), minutes.size(), whole, gone, open);
    String last = isLastTold ? "" : "; the last minute was never told";
    String silent = unanswered.isEmpty() ? "" : "; no answer from " + String.join(", ", unanswered);
    return text + last + silent;
  }

  /** What does not balance, then what is not known. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    residuals.forEach((place, records) -> lines.add(place.words(records)));
    minutes.forEach(
        (at, minute) -> {
          if (!minute.isWhole()) {
            List<String> words = new ArrayList<>(minute.open());
            minute.gone().forEach(node -> words.add("a process of " + node + " took its counts"));
            lines.add("minute " + Instant.ofEpochMilli(at) + ": " + String.join("; ", words));
          }
        });
    int more = lines.size() - MOST_LINES;
    if (more > 0) {
      lines.subList(MOST_LINES, lines.size()).clear();
      lines.add("and " + more + " more, which --json has");
    }
    return lines;
  }
}
