package io.galop.ops.letters;

import io.galop.letter.LatestLetters.Attempt;
import io.galop.ops.letters.LetterDoor.Outcome;
import io.galop.ops.letters.LetterSearch.Range;
import io.galop.ops.letters.LetterSearch.Walked;
import io.galop.record.Placed;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Follows an order: finds the letters, sends their records, looks whether they failed again. What
 * reads or writes many letters does so on a worker thread.
 */
final class RedriveRun {
  private final Loop loop;
  private final BiFunction<Range, Predicate<Placed>, Future<Walked>> walk;
  private final Function<List<String>, Future<List<Outcome>>> door;

  /** Of a node: by {@link LetterSearch#walk} and {@link LetterDoor#send}. */
  RedriveRun(
      Loop loop,
      BiFunction<Range, Predicate<Placed>, Future<Walked>> walk,
      Function<List<String>, Future<List<Outcome>>> door) {
    this.loop = loop;
    this.walk = walk;
    this.door = door;
  }

  /**
   * What is sent.
   *
   * @param driven for each letter
   * @param lines by the record: several letters may be about one, which is sent once
   */
  private record Sending(Map<LetterPlace, Attempt> driven, Map<String, String> lines) {
    private static Sending of(RedriveOrder order, Map<LetterPlace, Attempt> driven) {
      Map<String, String> lines = new LinkedHashMap<>();
      for (Attempt attempt : driven.values()) {
        lines.computeIfAbsent(
            attempt.record(),
            record -> order.data().map(attempt::toMendedLine).orElseGet(attempt::toLine));
      }
      return new Sending(driven, lines);
    }

    private Map<String, Outcome> byRecord(List<Outcome> outcomes) {
      Map<String, Outcome> byRecord = new LinkedHashMap<>();
      int line = 0;
      for (String record : lines.keySet()) {
        byRecord.put(record, outcomes.get(line++));
      }
      return byRecord;
    }
  }

  /** What became of each letter. */
  Future<JsonObject> follow(RedriveOrder order) {
    ChosenLetters chosen = new ChosenLetters(order);
    return walk.apply(order.range(), chosen::take)
        .compose(
            walked ->
                work(() -> Sending.of(order, chosen.driven(walked)))
                    .compose(sending -> drive(chosen, walked, sending)));
  }

  private Future<JsonObject> drive(ChosenLetters chosen, Walked walked, Sending sending) {
    FailedAgain again = new FailedAgain(sending.driven().values());
    return door.apply(List.copyOf(sending.lines().values()))
        .compose(
            outcomes ->
                look(sending.driven().values(), again)
                    .compose(
                        looked ->
                            work(() -> answer(chosen, walked, sending, outcomes, again, looked))));
  }

  private static JsonObject answer(
      ChosenLetters chosen,
      Walked walked,
      Sending sending,
      List<Outcome> sent,
      FailedAgain again,
      Walked looked) {
    Map<String, Outcome> byRecord = sending.byRecord(sent);
    Map<LetterPlace, Outcome> outcomes = new LinkedHashMap<>();
    for (LetterPlace place : chosen.all()) {
      Attempt attempt = sending.driven().get(place);
      outcomes.put(
          place,
          attempt == null
              ? chosen.undriven(place, walked)
              : again.of(attempt, Objects.requireNonNull(byRecord.get(attempt.record())), looked));
    }
    return RedriveJson.of(outcomes, sending.driven(), walked, looked);
  }

  /** The new letters have the times of the old ones. */
  private Future<Walked> look(Collection<Attempt> driven, FailedAgain again) {
    LongSummaryStatistics timesUs =
        driven.stream()
            .flatMap(attempt -> Stream.ofNullable(attempt.letter().timeUs()))
            .collect(Collectors.summarizingLong(Long::longValue));
    if (timesUs.getCount() == 0) {
      return Future.succeededFuture(new Walked(Optional.empty(), Set.of()));
    }
    Range range =
        new Range(LetterQuestion.ALL, timesUs.getMin(), timesUs.getMax(), Optional.empty());
    return walk.apply(range, again::take);
  }

  private <T> Future<T> work(Callable<T> task) {
    return loop.bring(loop.vertx().executeBlocking(task, false));
  }
}
