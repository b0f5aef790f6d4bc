package io.galop.ops.drill;

import static io.galop.ops.drill.DrillStage.EVENTS;
import static io.galop.ops.drill.DrillStage.WEBSOCKET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ops.drill.DrillEvent.Broken;
import io.galop.ops.drill.DrillEvent.Cut;
import io.galop.ops.drill.DrillEvent.Joined;
import io.galop.ops.drill.DrillEvent.Shown;
import io.galop.ops.drill.DrillVerdict.Failure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a relay makes of what its own viewers see of a drill. */
class RelayRoundTest {
  private RelayRound round = of(DrillFault.NONE, false, Set.of(WEBSOCKET, EVENTS));

  private static RelayRound of(DrillFault fault, boolean isWatched, Set<DrillStage> transports) {
    return RelayRound.of(new DrillPlan(17, fault, transports, 5_000, 0, 0), isWatched);
  }

  private void tell(DrillEvent.OfViewer... events) {
    for (DrillEvent.OfViewer event : events) {
      round = round.after(event);
    }
  }

  private void join() {
    tell(new Joined(WEBSOCKET, true), new Joined(EVENTS, true));
  }

  private static Optional<List<Failure>> failures(RelayRound of) {
    return of.verdict().map(DrillVerdict::failures);
  }

  private static Optional<List<Failure>> failure(DrillStage stage, String why) {
    return Optional.of(List.of(new Failure(stage, why)));
  }

  @Test
  void passesWhenAllAreShownWhatWasSent() {
    assertFalse(round.isJoined());
    join();
    assertTrue(round.isJoined());
    tell(new Shown(WEBSOCKET, 0), new Shown(EVENTS, 0));
    assertFalse(round.isDone(), "nobody has said yet that it was sent");
    round = round.sent();
    assertTrue(round.isDone());
    assertEquals(Optional.of(List.of()), failures(round));
  }

  @Test
  void namesTheViewerThatIsNotShownIt() {
    join();
    tell(new Shown(EVENTS, 0));
    assertEquals(failures(round), failures(round.overdue()), "it was not sent yet");
    round = round.sent();
    assertFalse(round.isDone());
    assertEquals(
        failure(WEBSOCKET, "not shown on websocket within 5000 ms"), failures(round.overdue()));
  }

  @Test
  void namesATransportOnWhichNobodyGetsIn() {
    tell(new Joined(EVENTS, true));
    round = round.overdue().sent().after(new Shown(EVENTS, 0));
    assertTrue(round.isDone());
    assertEquals(
        failure(WEBSOCKET, "no viewer could register on websocket within 5000 ms"),
        failures(round));
    round = of(DrillFault.NONE, false, Set.of(WEBSOCKET)).after(new Broken(WEBSOCKET, "refused"));
    assertEquals(failure(WEBSOCKET, "refused"), failures(round.sent()));
  }

  @Test
  void namesAViewerThatIsShownItTwice() {
    join();
    tell(new Shown(EVENTS, 0), new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 0));
    assertEquals(failure(WEBSOCKET, "shown twice on websocket"), failures(round.sent()));
  }

  /** Each is told by itself: the link, the gap, the drain. */
  @Test
  void saysNothingWhereTheFeedWasCutOrNoViewerTaken() {
    join();
    RelayRound sent = round.sent();
    assertEquals(2, failures(sent.overdue()).orElseThrow().size());
    assertEquals(Optional.empty(), failures(sent.after(new Cut(WEBSOCKET)).overdue()));
    assertEquals(Optional.empty(), failures(sent.after(new Joined(EVENTS, false)).overdue()));
    assertEquals(Optional.empty(), failures(sent.unsettled().overdue()));
    assertEquals(Optional.empty(), failures(round.overdue()), "nobody has said that it was sent");
    assertEquals(Optional.empty(), failures(of(DrillFault.NONE, false, Set.of()).sent()));
  }

  @Test
  void whereOnlyWhatIsWatchedComesAllMayWaitForTheOwner() {
    round = of(DrillFault.NONE, true, Set.of(WEBSOCKET, EVENTS)).sent();
    assertEquals(Optional.empty(), failures(round.overdue()));
    RelayRound closed = round.after(new Broken(WEBSOCKET, "refused"));
    assertTrue(failures(closed.overdue()).isPresent(), "that needs no owner");
    RelayRound mqtt = of(DrillFault.NONE, true, Set.of(DrillStage.MQTT, EVENTS)).sent();
    mqtt = mqtt.after(new Joined(DrillStage.MQTT, true));
    assertEquals(Optional.empty(), failures(mqtt.overdue()), "that one does not wait");
    tell(new Joined(EVENTS, true), new Shown(EVENTS, 0));
    assertEquals(
        failure(WEBSOCKET, "no viewer could register on websocket within 5000 ms"),
        failures(round.overdue()));
  }

  /** Whoever may not ask sends after a while, whether they are there or not. */
  @Test
  void whoComesTooLateIsExcused() {
    tell(new Joined(EVENTS, true));
    round = round.mayBeSent();
    tell(new Joined(WEBSOCKET, true), new Shown(EVENTS, 0));
    RelayRound sent = round.sent();
    assertEquals(Optional.empty(), failures(sent.overdue()));
    assertEquals(Optional.of(List.of()), failures(sent.after(new Shown(WEBSOCKET, 0))));
    RelayRound both = of(DrillFault.NONE, false, Set.of(WEBSOCKET, EVENTS)).mayBeSent().sent();
    both = both.after(new Joined(EVENTS, true)).after(new Shown(EVENTS, 0)).overdue();
    assertEquals(
        failure(WEBSOCKET, "no viewer could register on websocket within 5000 ms"), failures(both));
  }

  /** The node may have given up waiting, and sent, while this process or the link stood still. */
  @Test
  void whoIsThereAtTheLastWordBeforeTheRecordsIsNotExcused() {
    round = round.mayBeSent();
    join();
    RelayRound unseen = round.sent().overdue();
    assertEquals(Optional.empty(), failures(unseen), "they may have come after the records");
    assertEquals(2, failures(round.mayBeSent().sent().overdue()).orElseThrow().size());
  }

  @Test
  void findsWhatIsPlanted() {
    round = of(DrillFault.LOST, false, Set.of(WEBSOCKET)).sent();
    tell(new Joined(WEBSOCKET, true), new Shown(WEBSOCKET, 0));
    assertFalse(round.isDone());
    RelayRound missing = round.after(new Shown(WEBSOCKET, 2));
    assertTrue(missing.isDone() && missing.verdict().orElseThrow().isDetected());
    RelayRound blind = round.after(new Shown(WEBSOCKET, 1)).after(new Shown(WEBSOCKET, 2));
    assertEquals(
        failure(DrillStage.WATCH, "the planted fault 'lost' was not found"), failures(blind));
    round = of(DrillFault.DOUBLED, false, Set.of(WEBSOCKET)).sent();
    tell(new Joined(WEBSOCKET, true), new Shown(WEBSOCKET, 0), new Shown(WEBSOCKET, 1));
    assertTrue(round.verdict().orElseThrow().isDetected());
  }
}
