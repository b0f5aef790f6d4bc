package io.galop.persist.ownership;

import io.galop.bus.Sealed;
import io.galop.record.Position;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the answers to the seals mean for a takeover.
 *
 * @param answers of all nodes that store and are there
 * @param copyFrom the node that has more than this one; empty if none has
 * @param isCertain whether nothing can have been placed after what is known then
 * @param heardAll whether everybody who may have placed something was asked for it
 * @param isApart whether somebody did not answer who may take the shard beside this node
 */
public record TakeoverPlan(
    List<Answer> answers,
    Optional<Answer> copyFrom,
    boolean isCertain,
    boolean heardAll,
    boolean isApart) {
  /**
   * How things stood when the nodes were asked.
   *
   * @param last the last durable Position in this node's Log or memory
   * @param others ids of nodes that may have placed what is not known here
   * @param copy of a node whose acknowledged records are all here
   */
  public record Before(Position last, Set<String> others, Optional<SecondCopy> copy) {
    /** Whether nobody is away whose records are not known here. */
    private boolean isKnown(List<Answer> answers, Set<String> names) {
      Set<String> away = new HashSet<>(names);
      Set<String> unheard = new HashSet<>(others);
      copy.map(SecondCopy::of).ifPresent(unheard::remove);
      for (Answer answer : answers) {
        away.remove(answer.name());
        unheard.remove(answer.id());
      }
      return unheard.isEmpty() && away.size() <= (isCopied() ? 1 : 0);
    }

    /** Whether all is here that the owner before has acknowledged, which is away. */
    private boolean isCopied() {
      return copy.filter(SecondCopy::isOfAbsent).isPresent();
    }

    /** The largest epoch that is here, or that has been handed over by who answered. */
    private long newestHere(List<Answer> answers) {
      long newest = Math.max(last.epoch(), copy.map(SecondCopy::epoch).orElse(0L));
      for (Answer answer : answers) {
        newest = Math.max(newest, answer.reply().map(Sealed::last).map(Position::epoch).orElse(0L));
      }
      return newest;
    }
  }

  /**
   * Makes the plan.
   *
   * @param isHeld whether this node has placed records until now, beside whoever else did
   * @param known with the largest epoch that anybody has told of: if nobody who answered has it,
   *     its owner has failed and lost it, or is away
   * @param names of all nodes that this one has ever seen storing, itself not among them
   */
  static TakeoverPlan of(
      Before before, boolean isHeld, Known known, List<Answer> answers, Set<String> names) {
    boolean isHeard = answers.stream().allMatch(answer -> answer.reply().isPresent());
    boolean isDoubted = known.isDoubting() || answers.stream().anyMatch(Answer::isDoubting);
    boolean isSettled = !isDoubted || before.isCopied() || isVouched(answers);
    boolean isHere = isSettled && known.newestEpoch() <= before.newestHere(answers);
    boolean isApart = !isHeard || !before.isKnown(answers, names);
    boolean heardAll = !isApart && isHere;
    Optional<Answer> newest =
        answers.stream()
            .filter(answer -> answer.reply().isPresent())
            .filter(answer -> answer.last().compareTo(before.last()) > 0)
            .max(Comparator.comparing(Answer::last));
    long holders = answers.stream().filter(Answer::isHolder).count();
    if (newest.isEmpty()) {
      return new TakeoverPlan(answers, newest, heardAll && holders == 0, heardAll, isApart);
    }
    boolean isAlone = newest.get().isHolder() && holders == 1 && isHere;
    boolean isCertain = (isAlone || heardAll && holders == 0) && !isHeld;
    return new TakeoverPlan(answers, newest, isCertain, isAlone || heardAll, isApart);
  }

  /** Whether the only holder has heard of all epochs: nothing that it lacks is missing. */
  private static boolean isVouched(List<Answer> answers) {
    List<Answer> holders = answers.stream().filter(Answer::isHolder).toList();
    return holders.size() == 1 && holders.get(0).isInformed();
  }

  /** The same, after somebody has gone out of sight. */
  TakeoverPlan apart() {
    return new TakeoverPlan(answers, copyFrom, isCertain, heardAll, true);
  }

  /** Who sealed its epoch, by id, and the largest epoch that it had seen then. */
  public Map<String, Long> heard() {
    return heard(answers);
  }

  /** The largest epoch of which any of them knows. */
  static long newest(List<Answer> answers) {
    return heard(answers).values().stream().reduce(0L, Math::max);
  }

  private static Map<String, Long> heard(List<Answer> answers) {
    return answers.stream()
        .filter(answer -> answer.reply().isPresent())
        .collect(Collectors.toMap(Answer::id, a -> a.reply().orElseThrow().newestEpoch()));
  }
}
