package io.galop.persist.ownership;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Sealed;
import io.galop.record.Position;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What only the old Log of a node held is nowhere: who may say that nothing is missing. */
class ReplacedLogTest extends OwnershipSteps {
  private static final Position LAST = new Position(0, 8L << 32, 5);
  private static final Answer BACK =
      new Answer("b", "b", Optional.of(new Sealed(false, new Position(0, 7L << 32, 3))));

  /** Takes the shard until b has answered. */
  private void ask(boolean isReplaced) {
    on(new ShardEvent.Looked(Optional.of("me"), true, true));
    int attempt = attempt();
    on(new ShardEvent.Settled(attempt, LAST, Optional.empty()));
    on(new ShardEvent.Answered(attempt, List.of(BACK), Set.of("b"), isReplaced));
  }

  /**
   * Goes on until the new epoch is being logged, and says whether it follows on the last record.
   */
  private boolean isCertain() {
    int attempt = attempt();
    if (!has(ShardEffect.Merge.class)) {
      on(new ShardEvent.BackupRead(attempt, LAST));
    }
    on(new ShardEvent.Merged(attempt, 0, 2, true));
    return effect(ShardEffect.LogEpoch.class).taken().isCertain();
  }

  @Test
  void aNodeThatComesBackWithItsLogIsNoDoubt() {
    ask(false);
    assertTrue(isCertain());
  }

  @Test
  void aNodeThatComesBackWithAnotherLogIsDoubt() {
    ask(true);
    assertFalse(isCertain());
  }

  @Test
  void theDoubtOutlivesAnAttemptThatIsGivenUp() {
    ask(true);
    on(new ShardEvent.Paused());
    ask(false);
    assertFalse(isCertain());
  }

  @Test
  void whoHeardOfAnEpochKnowsWhatTheOldLogMayHaveHeld() {
    on(new ShardEvent.OtherBegan(8L << 32, "c", 0));
    ask(true);
    assertTrue(isCertain());
  }

  @Test
  void whoStoodStillHasHeardOfNothingMeanwhile() {
    on(new ShardEvent.OtherBegan(8L << 32, "c", 0));
    on(new ShardEvent.Paused());
    ask(true);
    assertFalse(isCertain());
  }

  @Test
  void whoComesBackWithAnotherLogIsToldOfTheDoubtUntilItHasHeardIt() {
    on(new ShardEvent.SealAsked(1, "b", true, LAST.epoch(), true));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isDoubting());
    on(new ShardEvent.OtherBegan(9L << 32, "b", 0));
    on(new ShardEvent.SealAsked(2, "c", true, LAST.epoch(), false));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isDoubting(), "b may not have heard it");
    on(new ShardEvent.OtherBegan(10L << 32, "c", LAST.epoch()));
    on(new ShardEvent.SealAsked(3, "b", true, LAST.epoch(), true));
    assertFalse(effect(ShardEffect.AnswerSeal.class).isDoubting());
  }

  /** It owns the shard, and has heard of all that anybody placed. */
  @Test
  void theOnlyHolderVouchesForWhatItHas() {
    on(new ShardEvent.Looked(Optional.of("me"), true, true));
    int attempt = attempt();
    on(new ShardEvent.Settled(attempt, Position.none(0), Optional.empty()));
    Answer owner =
        new Answer("a", "a", Optional.of(new Sealed(true, LAST, LAST.epoch(), 7, false, true)));
    on(new ShardEvent.Answered(attempt, List.of(owner, BACK), Set.of("a"), true));
    on(new ShardEvent.Copied(attempt, true));
    assertTrue(isCertain());
  }

  /** All that b had acknowledged before it lost its disk is here. */
  @Test
  void aCompleteCopyLeavesNoDoubt() {
    on(new ShardEvent.Looked(Optional.of("me"), true, true));
    int attempt = attempt();
    SecondCopy copy = new SecondCopy("old b", true, LAST.epoch());
    on(new ShardEvent.Settled(attempt, LAST, Optional.of(copy)));
    on(new ShardEvent.Answered(attempt, List.of(BACK), Set.of("b"), true));
    assertTrue(isCertain());
  }

  @Test
  void anOlderNodeDoesNotHearTheDoubt() {
    on(new ShardEvent.SealAsked(1, "b", true, LAST.epoch(), true));
    on(new ShardEvent.OtherBegan(9L << 32, "b", LAST.epoch(), false));
    on(seal(2, "c"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isDoubting());
  }

  @Test
  void whoHasNothingIsHeardAllTheSame() {
    on(new ShardEvent.SealAsked(1, "b", true, 0, true));
    assertTrue(effect(ShardEffect.AnswerSeal.class).newestEpoch() > 0);
  }

  private static ShardEvent seal(long request, String by) {
    return new ShardEvent.SealAsked(request, by, true, LAST.epoch(), false);
  }

  @Test
  void whoIsToldOfADoubtByAnotherSaysThatSomethingMayBeMissing() {
    on(new ShardEvent.Looked(Optional.of("me"), true, true));
    int attempt = attempt();
    on(new ShardEvent.Settled(attempt, Position.none(0), Optional.empty()));
    Answer doubting =
        new Answer("a", "a", Optional.of(new Sealed(true, LAST, LAST.epoch(), 7, true, false)));
    on(new ShardEvent.Answered(attempt, List.of(doubting, BACK), Set.of("a"), false));
    on(new ShardEvent.Copied(attempt, true));
    assertFalse(isCertain());
  }
}
