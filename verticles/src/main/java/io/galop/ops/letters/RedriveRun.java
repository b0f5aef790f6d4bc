package io.galop.ops.letters;

import io.galop.letter.DeadLetterLine;
import io.galop.node.Node;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Range;
import io.galop.ops.letters.LetterSearch.Walked;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Follows an order: finds the letters, sends their records, looks whether they failed again. */
final class RedriveRun {
  private final Loop loop;
  private final LetterSearch search;
  private final LetterDoor door;

  RedriveRun(Node node, Loop loop) {
    this.loop = loop;
    this.search = new LetterSearch(node, loop);
    this.door = new LetterDoor(node, loop);
  }

  /** Whether a node that stores can be asked. */
  boolean reachesLetters() {
    return search.isPossible();
  }

  /** Whether a node takes records. */
  boolean reachesDoor() {
    return !door.isShut();
  }

  /** What became of each letter. */
  Future<JsonObject> follow(RedriveOrder order) {
    ChosenLetters chosen = new ChosenLetters(order);
    return search.walk(order.range(), chosen::take).compose(walked -> drive(order, chosen, walked));
  }

  /** Several letters may be about one record, which is sent once. */
  private Future<JsonObject> drive(RedriveOrder order, ChosenLetters chosen, Walked walked) {
    Map<LetterPlace, DeadLetterLine> found = chosen.found();
    Map<String, String> lines = new LinkedHashMap<>();
    for (DeadLetterLine line : found.values()) {
      lines.put(line.recordName(), order.data().map(line::toMendedLine).orElseGet(line::toLine));
    }
    FailedAgain again = new FailedAgain(found.values());
    return door.send(List.copyOf(lines.values()))
        .compose(outcomes -> look(found, again).map(looked -> outcomes))
        .map(
            outcomes ->
                RedriveJson.of(
                    chosen, found, byRecord(List.copyOf(lines.keySet()), outcomes), again, walked));
  }

  private static Map<String, Outcome> byRecord(List<String> records, List<Outcome> outcomes) {
    Map<String, Outcome> byRecord = new LinkedHashMap<>();
    for (int i = 0; i < records.size(); i++) {
      byRecord.put(records.get(i), outcomes.get(i));
    }
    return byRecord;
  }

  /** The new letters have the times of the old ones. */
  private Future<?> look(Map<LetterPlace, DeadLetterLine> found, FailedAgain again) {
    if (found.isEmpty()) {
      return Future.succeededFuture();
    }
    LongSummaryStatistics timesUs =
        found.keySet().stream().collect(Collectors.summarizingLong(LetterPlace::timeUs));
    Range range =
        new Range(LetterQuestion.ALL, timesUs.getMin(), timesUs.getMax(), Optional.empty());
    return loop.bring(search.walk(range, again::take));
  }
}
