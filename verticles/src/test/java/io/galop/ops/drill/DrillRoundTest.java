package io.galop.ops.drill;

import static io.galop.ops.drill.DrillStage.EVENTS;
import static io.galop.ops.drill.DrillStage.WEBSOCKET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.drill.DrillEvent.Acked;
import io.galop.ops.drill.DrillEvent.Begun;
import io.galop.ops.drill.DrillEvent.Broken;
import io.galop.ops.drill.DrillEvent.Joined;
import io.galop.ops.drill.DrillEvent.Late;
import io.galop.ops.drill.DrillEvent.Lettered;
import io.galop.ops.drill.DrillEvent.Looked;
import io.galop.ops.drill.DrillEvent.Refused;
import io.galop.ops.drill.DrillEvent.Shown;
import io.galop.ops.drill.DrillEvent.Told;
import io.galop.ops.drill.DrillEvent.Unknown;
import io.galop.ops.drill.DrillVerdict.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a drill makes of what it sees. */
class DrillRoundTest {
  private static final Looked EVERYWHERE = new Looked(true, List.of());

  private DrillRound round = begun(DrillFault.NONE, Set.of(WEBSOCKET, EVENTS));
  private List<DrillEffect> effects = new ArrayList<>();

  private static DrillRound begun(DrillFault fault, Set<DrillStage> transports) {
    return DrillRound.of(new DrillPlan(17, fault, transports, 5_000, 30_000, 1_000));
  }

  private void begin(DrillFault fault) {
    round = begun(fault, Set.of(WEBSOCKET));
    tell(new Begun(), new Joined(WEBSOCKET, true));
  }

  private void tell(DrillEvent... events) {
    for (DrillEvent event : events) {
      DrillRound.Step step = round.next(event);
      round = step.round();
      effects = step.effects();
    }
  }

  private DrillVerdict verdict() {
    assertEquals(DrillPhase.OVER, round.phase());
    return ((DrillEffect.End) effects.get(0)).verdict();
  }

  private static Failure failure(DrillStage stage, String why) {
    return new Failure(stage, why);
  }

  @Test
  void passesWhereTheRecordArrivesEverywhere() {
    tell(new Begun());
    assertEquals(
        List.of(
            new DrillEffect.Join(WEBSOCKET),
            new DrillEffect.Join(EVENTS),
            new DrillEffect.Wait(DrillPhase.JOIN, 5_000)),
        effects);
    tell(new Joined(EVENTS, true), new Joined(WEBSOCKET, true));
    assertEquals(
        List.of(new DrillEffect.Send(0), new DrillEffect.Wait(DrillPhase.SHOW, 5_000)), effects);
    tell(new Shown(EVENTS, 0), new Shown(WEBSOCKET, 0), new Acked(0));
    assertEquals(
        List.of(new DrillEffect.Look(0), new DrillEffect.Wait(DrillPhase.LOOK, 30_000)), effects);
    tell(new Late(DrillPhase.SHOW), new Looked(true, List.of("store cold (it is behind)")));
    assertEquals(DrillPhase.LOOK, round.phase());
    tell(EVERYWHERE);
    assertTrue(verdict().isPassed());
    assertFalse(verdict().isDetected());
  }

  @Test
  void namesTheViewerThatSeesNothing() {
    tell(new Begun(), new Joined(EVENTS, true), new Joined(WEBSOCKET, true));
    tell(new Acked(0), new Shown(EVENTS, 0), new Late(DrillPhase.SHOW), EVERYWHERE);
    assertEquals(
        List.of(failure(WEBSOCKET, "not shown on websocket within 5000 ms")), verdict().failures());
    assertEquals(
        "drill 17: acknowledged; not shown on websocket within 5000 ms: viewers with a websocket"
            + " may see nothing new",
        verdict().sentence());
  }

  @Test
  void goesOnWithoutAViewerThatCannotCome() {
    tell(new Begun(), new Joined(EVENTS, true), new Broken(WEBSOCKET, "no viewer on websocket"));
    assertEquals(DrillPhase.SHOW, round.phase());
    tell(new Shown(EVENTS, 0), new Acked(0), EVERYWHERE);
    assertEquals(List.of(failure(WEBSOCKET, "no viewer on websocket")), verdict().failures());
  }

  @Test
  void namesADoorThatRefusesOrDoesNotAnswer() {
    begin(DrillFault.NONE);
    tell(new Refused(0, "the http door answered 429"));
    assertEquals(
        List.of(failure(DrillStage.DOOR, "the http door answered 429")), verdict().failures());
    begin(DrillFault.NONE);
    tell(new Shown(WEBSOCKET, 0), new Late(DrillPhase.SHOW));
    assertEquals(
        List.of(failure(DrillStage.DOOR, "not acknowledged within 5000 ms")), verdict().failures());
  }

  @Test
  void namesTheStoreThatLacksIt() {
    begin(DrillFault.NONE);
    tell(new Shown(WEBSOCKET, 0), new Acked(0), new Looked(true, List.of("store cold (late)")));
    tell(new Late(DrillPhase.LOOK));
    String why = "not in store cold (late) within 30000 ms";
    assertEquals(List.of(failure(DrillStage.STORES, why)), verdict().failures());
    begin(DrillFault.NONE);
    tell(new Shown(WEBSOCKET, 0), new Acked(0), new Late(DrillPhase.LOOK));
    assertEquals(DrillStage.LOG, verdict().failures().get(0).stage());
  }

  private static Looked stoodStill(long ms, String... lacking) {
    List<Unknown> unknown = List.of(new Unknown("b", "", ms));
    return new Looked(true, List.of(lacking), "", unknown);
  }

  /** What it waits for is not the time of stores, when only a node that stands still lacks. */
  @Test
  void doesNotWaitForANodeThatStandsStill() {
    begin(DrillFault.NONE);
    tell(new Shown(WEBSOCKET, 0), new Acked(0), stoodStill(14_999));
    assertEquals(DrillPhase.LOOK, round.phase());
    tell(stoodStill(20_400, "store cold (late)"));
    assertEquals(DrillPhase.LOOK, round.phase());
    tell(stoodStill(20_900));
    String why = "not known what b has stored: it has not answered for 20 s";
    assertEquals(List.of(failure(DrillStage.STORES, why)), verdict().failures());
  }

  @Test
  void aNodeThatComesBackOrStartsIsWaitedFor() {
    begin(DrillFault.NONE);
    tell(new Shown(WEBSOCKET, 0), new Acked(0), stoodStill(14_000));
    tell(new Looked(true, List.of(), "", List.of(new Unknown("b", "it is starting", 0))));
    assertEquals(DrillPhase.LOOK, round.phase());
    DrillRound waiting = round;
    tell(EVERYWHERE);
    assertTrue(verdict().isPassed());
    round = waiting;
    tell(new Late(DrillPhase.LOOK));
    String why = "not known what b has stored: it is starting";
    assertEquals(List.of(failure(DrillStage.STORES, why)), verdict().failures());
  }

  @Test
  void aDoubledRecordIsShownOnce() {
    begin(DrillFault.DOUBLED);
    List<DrillEffect> sends = effects.stream().filter(DrillEffect.Send.class::isInstance).toList();
    DrillEffect.Send past = new DrillEffect.Send(0, true);
    DrillEffect.Send first = new DrillEffect.Send(0);
    assertEquals(List.of(first, first, past, new DrillEffect.Send(1)), sends);
    tell(new Acked(0), new Acked(0), new Acked(0), new Acked(1));
    DrillRound sent = round;
    tell(new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 1), EVERYWHERE);
    assertTrue(verdict().isPassed() && verdict().isDetected());
    round = sent;
    tell(new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 1), EVERYWHERE);
    assertEquals(List.of(failure(WEBSOCKET, "shown twice on websocket")), verdict().failures());
    assertFalse(verdict().isDetected());
  }

  @Test
  void aDoubledRecordIsPlacedOnce() {
    begin(DrillFault.DOUBLED);
    tell(new Acked(0), new Acked(0), new Acked(0), new Acked(1));
    tell(new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 1));
    assertEquals(new DrillEffect.Look(0), effects.get(0));
    tell(new Looked(true, List.of(), "", List.of(), 2));
    String why = "placed 2 times under one id by its owner";
    assertEquals(List.of(failure(DrillStage.OWNER, why)), verdict().failures());
  }

  @Test
  void aLostRecordIsMissedAndNoOther() {
    begin(DrillFault.LOST);
    tell(new Acked(0), new Acked(2));
    DrillRound sent = round;
    tell(new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 2), EVERYWHERE);
    assertTrue(verdict().isPassed() && verdict().isDetected());
    round = sent;
    tell(new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 1), new Shown(WEBSOCKET, 2), EVERYWHERE);
    assertFalse(verdict().isDetected());
    assertEquals(DrillStage.WATCH, verdict().failures().get(0).stage());
  }

  @Test
  void aViewerThatWasAwayIsGivenWhatItMissed() {
    begin(DrillFault.LATE);
    tell(new Acked(0), new Shown(WEBSOCKET, 0));
    assertEquals(List.of(new DrillEffect.Leave(WEBSOCKET), new DrillEffect.Send(1)), firstTwo());
    tell(new Acked(1));
    assertEquals(new DrillEffect.Join(WEBSOCKET), effects.get(0));
    DrillRound back = round;
    tell(new Joined(WEBSOCKET, true), new Shown(WEBSOCKET, 1), EVERYWHERE);
    assertTrue(verdict().isPassed() && verdict().isDetected());
    round = back;
    tell(new Joined(WEBSOCKET, false), new Shown(WEBSOCKET, 1), EVERYWHERE);
    assertEquals(WEBSOCKET, verdict().failures().get(0).stage());
    assertFalse(verdict().isDetected());
    round = back;
    tell(new Joined(WEBSOCKET, true), new Late(DrillPhase.BACK), EVERYWHERE);
    String why =
        "what a viewer missed was not shown after it came back on websocket within 5000 ms";
    assertEquals(List.of(failure(WEBSOCKET, why)), verdict().failures());
  }

  /** A shard has moved meanwhile, and nobody was away. */
  @Test
  void aGapThatAViewerIsToldOfWhileItStaysIsNoFault() {
    begin(DrillFault.NONE);
    tell(new Acked(0), new Joined(WEBSOCKET, false), new Shown(WEBSOCKET, 0), EVERYWHERE);
    assertEquals(List.of(), verdict().failures());
  }

  @Test
  void aRefusedRecordIsADeadLetterAndNothingElse() {
    begin(DrillFault.REFUSED);
    DrillRound joined = round;
    tell(new Acked(0), new Lettered(WEBSOCKET, 0, "too_large"));
    assertEquals(new DrillEffect.Look(0), effects.get(0));
    tell(EVERYWHERE);
    assertTrue(verdict().isPassed() && verdict().isDetected());
    List<Failure> unseen = List.of(unseen("refused"));
    round = joined;
    tell(new Acked(0), new Lettered(WEBSOCKET, 0, "script_failed"), EVERYWHERE);
    assertEquals(unseen, verdict().failures());
    round = joined; // as it does through a node that refuses nothing
    tell(new Acked(0), new Shown(WEBSOCKET, 0), EVERYWHERE);
    assertEquals(unseen, verdict().failures());
    round = joined;
    tell(new Shown(WEBSOCKET, 0), new Lettered(WEBSOCKET, 0, "too_large"), new Acked(0));
    tell(EVERYWHERE);
    assertEquals(unseen, verdict().failures());
    round = joined;
    tell(new Lettered(WEBSOCKET, 0, "too_large"), new Lettered(WEBSOCKET, 0, "too_large"));
    tell(new Acked(0), EVERYWHERE);
    assertEquals(List.of(failure(WEBSOCKET, "shown twice on websocket")), verdict().failures());
    round = joined;
    tell(new Acked(0), new Late(DrillPhase.SHOW), EVERYWHERE);
    String why = "no dead letter shown on websocket within 5000 ms";
    assertEquals(List.of(failure(WEBSOCKET, why)), verdict().failures());
    assertFalse(verdict().isDetected());
  }

  /** Viewers have been shown nothing, since there was nothing. */
  @Test
  void namesTheStepThatRefusesARecord() {
    round = begun(DrillFault.NONE, Set.of(WEBSOCKET, EVENTS));
    tell(new Begun(), new Joined(WEBSOCKET, true), new Broken(EVENTS, "no viewer on events"));
    String why = "it became a dead letter on $dead-letter/script/s (script_failed, no)";
    tell(new Acked(0), new Late(DrillPhase.SHOW), new Looked(true, List.of(), why));
    assertEquals(
        List.of(failure(DrillStage.ENRICH, why), failure(EVENTS, "no viewer on events")),
        verdict().failures());
  }

  private static Failure unseen(String fault) {
    return failure(DrillStage.WATCH, "the planted fault '" + fault + "' was not found");
  }

  private List<DrillEffect> firstTwo() {
    return effects.subList(0, 2);
  }

  /** While a viewer that sees nothing is waited for, the others may be told already. */
  @Test
  void whoIsToldOfTheSilenceBeforeOthersSeeAnythingIsTold() {
    round = begun(DrillFault.SILENT, Set.of(WEBSOCKET, EVENTS));
    tell(new Begun(), new Joined(WEBSOCKET, true), new Joined(EVENTS, true), new Acked(0));
    tell(new Told(WEBSOCKET, true), new Told(WEBSOCKET, false));
    tell(new Shown(WEBSOCKET, 0), new Told(WEBSOCKET, true), new Late(DrillPhase.SHOW));
    assertEquals(DrillPhase.AGAIN, round.phase());
    tell(new Acked(1), new Shown(WEBSOCKET, 1), new Told(WEBSOCKET, false), EVERYWHERE);
    assertEquals(
        List.of(failure(EVENTS, "not shown on events within 5000 ms")), verdict().failures());
  }

  @Test
  void aSilentTopicIsToldAndThatItIsBack() {
    begin(DrillFault.SILENT);
    tell(new Told(WEBSOCKET, true), new Acked(0), new Told(WEBSOCKET, false));
    tell(new Shown(WEBSOCKET, 0));
    assertEquals(List.of(new DrillEffect.Wait(DrillPhase.SILENT, 6_000)), effects);
    DrillRound quiet = round;
    tell(new Told(WEBSOCKET, true), new Acked(1), new Shown(WEBSOCKET, 1));
    tell(new Told(WEBSOCKET, false), EVERYWHERE);
    assertTrue(verdict().isPassed() && verdict().isDetected());
    round = quiet;
    tell(new Late(DrillPhase.SILENT), new Acked(1), EVERYWHERE);
    String why = "not told on websocket that the topic is silent within 6000 ms";
    assertEquals(List.of(failure(WEBSOCKET, why)), verdict().failures());
    assertFalse(verdict().isDetected());
  }

  @Test
  void aNodeWithoutViewersLooksAtTheLog() {
    round = begun(DrillFault.NONE, Set.of());
    tell(new Begun());
    assertTrue(effects.contains(new DrillEffect.Send(0)), effects.toString());
    tell(new Acked(0), EVERYWHERE);
    assertTrue(verdict().isPassed());
  }

  @Test
  void nothingHappensToARoundThatIsOver() {
    begin(DrillFault.NONE);
    tell(new Refused(0, "no"), new Shown(WEBSOCKET, 0));
    assertEquals(List.of(), effects);
  }
}
