package io.galop.persist.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Sealed;
import io.galop.persist.ownership.ShardState.Asking;
import io.galop.persist.ownership.ShardState.Beginning;
import io.galop.persist.ownership.ShardState.Failed;
import io.galop.persist.ownership.ShardState.Owning;
import io.galop.persist.ownership.ShardState.Settling;
import io.galop.persist.ownership.ShardState.Waiting;
import io.galop.record.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Transitions of a shard's ownership, one by one. */
class OwnershipRulesTest extends OwnershipSteps {
  private static final ShardEvent OURS = new ShardEvent.Looked(Optional.of("me"), true, true);
  private static final long TAG = 2;

  /** The first that is begun here. */
  private static final long EPOCH = (1L << 32) + TAG;

  /** From the seals to the state in which the epoch is being logged. */
  private void take(Position last, Answer... answers) {
    on(new ShardEvent.Settled(attempt(), last, Optional.empty()));
    on(new ShardEvent.Answered(attempt(), List.of(answers), Set.of(), false));
    if (has(ShardEffect.CopyTail.class)) {
      on(new ShardEvent.Copied(attempt(), true));
    }
    if (has(ShardEffect.ReadBackup.class)) {
      on(new ShardEvent.BackupRead(attempt(), last));
    }
    on(new ShardEvent.Merged(attempt(), 0, TAG, true));
  }

  private void own() {
    on(OURS);
    take(Position.none(0));
    on(new ShardEvent.EpochLogged(attempt()));
    assertInstanceOf(Owning.class, state);
  }

  private static ShardEvent seal(long request, String by) {
    return new ShardEvent.SealAsked(request, by, true, 0, false);
  }

  private static Answer answer(String id, boolean held, long epoch, long offset) {
    Sealed sealed = new Sealed(held, new Position(0, epoch, offset));
    return new Answer(id, id, Optional.of(sealed));
  }

  @Test
  void aShardThatNobodyHasIsTakenStepByStep() {
    on(OURS);
    assertInstanceOf(Settling.class, state);
    assertTrue(has(ShardEffect.AwaitDisk.class));
    take(Position.none(0));
    assertInstanceOf(Beginning.class, state);
    long epoch = effect(ShardEffect.LogEpoch.class).epoch();
    on(new ShardEvent.EpochLogged(attempt()));
    assertEquals(epoch, effect(ShardEffect.Own.class).epoch());
    assertTrue(effect(ShardEffect.Own.class).taken().isCertain());
  }

  @Test
  void theNextEpochIsLargerThanAllThatWasSeen() {
    on(OURS);
    take(Position.none(0), answer("b", false, 7L << 32, 3));
    assertTrue(effect(ShardEffect.LogEpoch.class).epoch() > 7L << 32);
  }

  @Test
  void whatComesFromAnAttemptThatWasGivenUpIsIgnored() {
    on(OURS);
    on(new ShardEvent.Paused());
    ShardState before = state;
    on(new ShardEvent.Settled(1, Position.none(0), Optional.empty()));
    assertEquals(before, state);
    assertEquals(List.of(), effects);
  }

  @Test
  void anOwnerThatIsSealedSaysSoUntilAnOwnerHasHeard() {
    own();
    on(seal(1, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld());
    on(seal(2, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld(), "the answer may have been lost");
    on(new ShardEvent.OtherBegan(9L << 32, "b", 0));
    on(seal(3, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld(), "that epoch may never be used");
    on(new ShardEvent.OtherBegan(9L << 32, "b", EPOCH));
    on(seal(4, "b"));
    assertFalse(effect(ShardEffect.AnswerSeal.class).isHeld());
  }

  /** The first may have been sealed by the second before it copied anything. */
  @Test
  void anOwnerThatIsSealedByTwoSaysSoToBoth() {
    own();
    on(seal(1, "b"));
    on(seal(2, "c"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld());
    on(new ShardEvent.OtherBegan(9L << 32, "c", EPOCH));
    on(seal(3, "b"));
    assertFalse(effect(ShardEffect.AnswerSeal.class).isHeld(), "c knows of it");
  }

  /** It placed records until a moment ago; an owner that asks in between has to be told. */
  @Test
  void aTakeoverThatIsGivenUpKeepsThatRecordsWerePlaced() {
    own();
    on(new ShardEvent.SeenNewer(9L << 32));
    assertInstanceOf(Settling.class, state);
    on(seal(1, "b"));
    assertInstanceOf(Waiting.class, state);
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld());
  }

  @Test
  void aProcessThatPausedTellsWhoAsksThatItPlacedRecords() {
    own();
    on(new ShardEvent.Paused());
    on(seal(1, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld());
  }

  /** Nobody has asked it; that the epoch is not used does not change that. */
  @Test
  void anEpochThatIsNotUsedLeavesWhomItCouldNotAskToTheNext() {
    on(new ShardEvent.Returned(Set.of("b")));
    on(OURS);
    take(Position.none(0));
    on(new ShardEvent.OtherBegan(9L << 32, "c", 0));
    on(new ShardEvent.EpochLogged(attempt()));
    assertInstanceOf(Waiting.class, state);
    assertEquals(Set.of("b"), state.known().others());
  }

  @Test
  void whoComesBackDuringATakeoverIsAskedByTheNext() {
    on(OURS);
    on(new ShardEvent.Settled(attempt(), Position.none(0), Optional.empty()));
    assertInstanceOf(Asking.class, state);
    on(new ShardEvent.Returned(Set.of("b")));
    on(new ShardEvent.Answered(attempt(), List.of(), Set.of(), false));
    on(new ShardEvent.Merged(attempt(), 0, TAG, true));
    on(new ShardEvent.EpochLogged(attempt()));
    assertInstanceOf(Owning.class, state);
    on(OURS);
    assertInstanceOf(Settling.class, state, "it may have owned the shard");
  }

  @Test
  void aSealWaitsForAnEpochThatBegins() {
    on(OURS);
    take(Position.none(0));
    ShardEvent seal = seal(1, "b");
    on(seal);
    assertEquals(List.of(), effects);
    on(new ShardEvent.EpochLogged(attempt()));
    assertEquals(seal, effect(ShardEffect.Deliver.class).event());
  }

  @Test
  void manySealsAreRefusedWhileAnEpochBegins() {
    on(OURS);
    take(Position.none(0));
    for (int i = 0; i < OwnershipRules.MAX_DEFERRED; i++) {
      on(seal(i, "b"));
    }
    on(seal(-1, "b"));
    assertTrue(has(ShardEffect.RefuseLater.class));
  }

  @Test
  void nodesThatComeAndGoDoNotFillTheMemory() {
    for (int i = 0; i < 10_000; i++) {
      on(new ShardEvent.Returned(Set.of("start" + i)));
    }
    assertEquals(Known.MAX_OTHERS, state.known().others().size());
    assertTrue(state.known().others().contains("start9999"));
  }

  @Test
  void aNodeWhoseLogFailedGivesWhatItHasAndTakesNothing() {
    own();
    on(new ShardEvent.LogFailed());
    on(OURS);
    assertInstanceOf(Failed.class, state);
    on(seal(1, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld());
  }

  @Test
  void whoPlacedBesideAnotherDoesNotClaimThatNothingIsMissing() {
    own();
    on(new ShardEvent.Returned(Set.of("b")));
    on(OURS);
    take(new Position(0, 1L << 32, 5), answer("b", true, 9L << 32, 3));
    assertFalse(effect(ShardEffect.LogEpoch.class).taken().isCertain());
  }

  /** The answer came too late: its epoch is not larger than what the answer named. */
  @Test
  void anEpochOfWhoCannotHaveHeardTheAnswerDoesNotCountAsOne() {
    own();
    long mine = ((Owning) state).epoch();
    on(seal(1, "b"));
    on(new ShardEvent.OtherBegan(mine + 2, "b", 0));
    on(seal(2, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld());
  }

  /** The memory knows of a newer one, as that of a second copy does. */
  @Test
  void whatAnAnswerNamedIsRemembered() {
    own();
    on(seal(1, "b"));
    on(new ShardEvent.SealAsked(2, "b", true, 9L << 32, false));
    assertEquals(9L << 32, effect(ShardEffect.AnswerSeal.class).newestEpoch());
    on(new ShardEvent.OtherBegan(8L << 32, "c", 0));
    on(seal(3, "b"));
    assertTrue(effect(ShardEffect.AnswerSeal.class).isHeld(), "c did not hear the answer");
  }

  /** Whoever began it may have heard of records, and has lost them before anybody copied them. */
  @Test
  void anEpochThatNobodyHasIsDoubt() {
    on(new ShardEvent.OtherBegan(9L << 32, "gone", 0));
    on(OURS);
    take(new Position(0, 8L << 32, 5), answer("b", false, 8L << 32, 3));
    assertFalse(effect(ShardEffect.LogEpoch.class).taken().isCertain());
  }

  @Test
  void anEpochThatAnotherHasIsNoDoubt() {
    on(new ShardEvent.OtherBegan(9L << 32, "b", 0));
    on(OURS);
    take(new Position(0, 8L << 32, 5), answer("b", true, 9L << 32, 0));
    assertTrue(effect(ShardEffect.LogEpoch.class).taken().isCertain());
  }

  /** The node that began an epoch is gone, and had placed nothing in it that is not here. */
  @Test
  void anEpochWithoutARecordIsNoDoubtForACompleteCopy() {
    on(new ShardEvent.OtherBegan(9L << 32, "gone", 0));
    on(OURS);
    SecondCopy copy = new SecondCopy("gone", true, 9L << 32);
    on(new ShardEvent.Settled(attempt(), new Position(0, 8L << 32, 5), Optional.of(copy)));
    on(new ShardEvent.Answered(attempt(), List.of(), Set.of("gone"), false));
    on(new ShardEvent.Merged(attempt(), 0, TAG, true));
    assertTrue(effect(ShardEffect.LogEpoch.class).taken().isCertain());
  }

  /** Who asked has given up, and the shard is another's. */
  @Test
  void whatNoOwnerHasHeardOfIsOfferedToTheNext() {
    own();
    on(seal(1, "b"));
    on(new ShardEvent.Looked(Optional.of("c"), false, true));
    assertEquals(new ShardEffect.OfferTo("c", EPOCH), effect(ShardEffect.OfferTo.class));
    on(new ShardEvent.OtherBegan(9L << 32, "c", EPOCH));
    on(new ShardEvent.Looked(Optional.of("c"), false, true));
    assertFalse(has(ShardEffect.OfferTo.class));
  }

  @Test
  void anOwnerTellsWhomItHasHeardAndAgainWhoOffersTheSame() {
    on(OURS);
    take(Position.none(0), answer("b", true, 7L << 32, 3));
    on(new ShardEvent.EpochLogged(attempt()));
    ShardEffect told = new ShardEffect.TellHeard((8L << 32) + TAG, Map.of("b", 7L << 32));
    assertEquals(told, effect(ShardEffect.TellHeard.class));
    on(new ShardEvent.Offered(1, "b", 7L << 32, false, Set.of("b")));
    assertInstanceOf(Owning.class, state);
    assertEquals(told, effect(ShardEffect.TellHeard.class));
    on(new ShardEvent.Offered(2, "b", 9L << 32, false, Set.of("b")));
    assertTrue(has(ShardEffect.LookAgain.class), "it has placed more since");
  }

  /** It seems to be the leaver's until that has gone, and then nobody could be asked. */
  @Test
  void aLeaverThatHoldsTheShardBesideAnOwnerIsAsked() {
    own();
    on(new ShardEvent.Offered(1, "b", 9L << 32, true, Set.of("b")));
    assertInstanceOf(Settling.class, state);
    assertEquals(Set.of("b"), state.known().others());
  }

  @Test
  void aNodeThatLeavesHandsOverWhatNoOwnerHasHeardOf() {
    own();
    on(seal(1, "b"));
    on(new ShardEvent.Leaves(2, Optional.of("c")));
    assertEquals(
        new ShardEffect.HandOver(2, "c", EPOCH, false), effect(ShardEffect.HandOver.class));
  }

  /** A restart owes what was placed while another may have owned the shard too, and only that. */
  @Test
  void anOwnerThatLosesSightOfOthersLogsItUntilAnOwnerHasHeard() {
    own();
    assertFalse(has(ShardEffect.LogApart.class), "it has heard all");
    on(new ShardEvent.OthersLost());
    assertEquals(new ShardEffect.LogApart(EPOCH), effect(ShardEffect.LogApart.class));
    on(new ShardEvent.OthersLost());
    assertFalse(has(ShardEffect.LogApart.class), "once");
    on(seal(1, "b"));
    on(new ShardEvent.OtherBegan(9L << 32, "b", EPOCH));
    assertEquals(new ShardEffect.LogHeard(EPOCH), effect(ShardEffect.LogHeard.class));
  }

  /** It has answered, and may take the shard as well. */
  @Test
  void aNodeThatIsLostDuringATakeoverLeavesItApart() {
    on(OURS);
    on(new ShardEvent.Settled(attempt(), Position.none(0), Optional.empty()));
    List<Answer> answers = List.of(answer("b", true, EPOCH, 3));
    on(new ShardEvent.Answered(attempt(), answers, Set.of(), false));
    assertInstanceOf(ShardState.Copying.class, state);
    on(new ShardEvent.OthersLost());
    on(new ShardEvent.Copied(attempt(), true));
    on(new ShardEvent.OthersLost());
    on(new ShardEvent.Merged(attempt(), 0, TAG, true));
    on(new ShardEvent.EpochLogged(attempt()));
    Owning owning = assertInstanceOf(Owning.class, state);
    assertEquals(new ShardEffect.LogApart(owning.epoch()), effect(ShardEffect.LogApart.class));
    assertTrue(owning.isApart());
  }

  @Test
  void allAreAskedAgainIfANodeIsLostBeforeTheyHaveAnswered() {
    on(new ShardEvent.Returned(Set.of("b")));
    on(OURS);
    on(new ShardEvent.Settled(attempt(), Position.none(0), Optional.empty()));
    on(new ShardEvent.OthersLost());
    assertInstanceOf(ShardState.Waiting.class, state);
    assertTrue(has(ShardEffect.LookAgain.class));
    assertEquals(Set.of("b"), state.known().others());
  }

  @Test
  void anEpochThatBeginsWithoutAllIsApart() {
    on(new ShardEvent.Returned(Set.of("b")));
    on(OURS);
    take(Position.none(0));
    on(new ShardEvent.EpochLogged(attempt()));
    assertEquals(new ShardEffect.LogApart(EPOCH), effect(ShardEffect.LogApart.class));
  }

  @Test
  void anOwnerThatWasNotHeardIsApart() {
    own();
    on(new ShardEvent.OtherBegan(9L << 32, "b", 0));
    assertEquals(new ShardEffect.LogApart(EPOCH), effect(ShardEffect.LogApart.class));
    assertEquals(new Past.Owed(EPOCH, true), state.past());
  }
}
