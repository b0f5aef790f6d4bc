package io.galop.alarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.galop.config.ConfigLoader;
import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.galop.config.alarm.AlarmsConfig;
import io.galop.jvm.Moment;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each condition over records and time, over a change of the owner, and many at once. */
class ShardAlarmsTest {
  private final List<AlarmState> changes = new ArrayList<>();
  private final List<AlarmState> restated = new ArrayList<>();
  private long offset;

  private final AlarmSink sink =
      new AlarmSink() {
        @Override
        public void changed(int shard, AlarmState now) {
          changes.add(now);
        }

        @Override
        public void restated(int shard, AlarmState now) {
          restated.add(now);
        }

        @Override
        public void found(AlarmState state) {}

        @Override
        public void gone(AlarmState state) {}
      };

  private ShardAlarms alarms(String rules) throws Exception {
    return alarms(rules, 1_000_000);
  }

  private ShardAlarms alarms(String rules, int maxTopics) throws Exception {
    String yaml = "alarms:\n  maxStanding: 20000\n  maxTopics: %d\n  rules: %s";
    AlarmsConfig config = ConfigLoader.parse(yaml.formatted(maxTopics, rules), "t").alarms();
    AlarmMeters meters = new AlarmMeters(new SimpleMeterRegistry());
    return new ShardAlarms(0, RuleSet.of(config.rules()), new AlarmRoom(config, meters), sink);
  }

  private static Record record(String topic, String data, long ms) {
    return new Record("" + ms, topic, ms * 1_000, data.getBytes(StandardCharsets.UTF_8));
  }

  /** While nobody sets the clock of the wall. */
  private static Moment at(long ms) {
    return new Moment(ms, ms - 1_000_000);
  }

  private void see(ShardAlarms alarms, String topic, String data, long ms) {
    alarms.look(record(topic, data, ms), 1, ++offset, at(ms));
  }

  private List<String> words() {
    return changes.stream().map(one -> one.word().word()).toList();
  }

  private static final String SILENT_AND_HOT =
      "[{name: silent, topics: s/+, when: {silence: {silentMs: 5000}}}, {name: hot, topics: s/+,"
          + " when: {limit: {field: c, above: 80}}, forMs: 3000}]";

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000})
  void aClockThatIsSetNeitherRaisesNorHoldsBack(long byMs) throws Exception {
    ShardAlarms alarms = alarms(SILENT_AND_HOT);
    see(alarms, "s/1", "{\"c\":90}", 0);
    alarms.tick(set(2_999, byMs));
    assertEquals(List.of(), changes);
    alarms.tick(set(3_000, byMs));
    assertEquals("hot", changes.get(0).rule());
    assertEquals(3_000 + byMs, changes.get(0).sinceMs());
    alarms.tick(set(4_999, byMs));
    assertEquals(1, changes.size());
    alarms.tick(set(5_000, byMs));
    assertEquals("silent", changes.get(1).rule());
  }

  private static Moment set(long ms, long byMs) {
    return new Moment(ms + byMs, at(ms).steadyMs());
  }

  private static final String HOT =
      "[{name: hot, topics: s/+, when: {limit: {field: c, above: 80, clear: 75}}, severity: high}]";

  @Test
  void aLimitHasHysteresis() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    for (double value : new double[] {80, 81, 90, 76, 81, 75}) {
      see(alarms, "s/1", "{\"c\":" + value + "}", 1_000);
    }
    see(alarms, "s/1", "{\"c\":\"99\"}", 2_000);
    see(alarms, "other", "{\"c\":99}", 2_000);
    assertEquals(List.of("unacknowledged", "returned"), words());
    assertEquals("hot: s/1 81.0", changes.get(0).text());
  }

  @Test
  void aDelayHasToPassWithoutABreak() throws Exception {
    ShardAlarms alarms =
        alarms("[{name: low, topics: '#', forMs: 1000, when: {limit: {field: c, below: 5}}}]");
    see(alarms, "s", "{\"c\":1}", 1_000);
    see(alarms, "s", "{\"c\":6}", 1_900);
    see(alarms, "s", "{\"c\":1}", 2_000);
    alarms.tick(at(2_999));
    assertEquals(List.of(), words());
    alarms.tick(at(3_000));
    assertEquals(List.of("unacknowledged"), words());
  }

  @Test
  void aRateIsOfTheWindow() throws Exception {
    ShardAlarms alarms =
        alarms("[{name: r, topics: s, when: {rate: {field: c, perSecond: 2, overMs: 10000}}}]");
    see(alarms, "s", "{\"c\":0}", 1_000);
    see(alarms, "s", "{\"c\":2}", 2_000);
    assertEquals(List.of(), words());
    see(alarms, "s", "{\"c\":-7}", 4_000);
    see(alarms, "s", "{\"c\":-7}", 9_000);
    assertEquals(List.of("unacknowledged", "returned"), words());
  }

  @Test
  void silenceEndsWithARecord() throws Exception {
    ShardAlarms alarms = alarms("[{name: mute, topics: s/+, when: {silence: {silentMs: 5000}}}]");
    see(alarms, "s/1", "{}", 1_000);
    alarms.tick(at(5_999));
    assertEquals(List.of(), words());
    alarms.tick(at(6_000));
    alarms.tick(at(60_000));
    see(alarms, "s/1", "{}", 61_000);
    assertEquals(List.of("unacknowledged", "returned"), words());
  }

  @Test
  void anExpressionWithoutAnAnswerChangesNothing() throws Exception {
    ShardAlarms alarms =
        alarms("[{name: e, topics: s, when: {expression: {cel: 'data.a > 1 && data.b'}}}]");
    see(alarms, "s", "{\"a\":2,\"b\":true}", 1_000);
    see(alarms, "s", "{\"a\":2}", 2_000);
    see(alarms, "s", "{\"a\":0}", 3_000);
    assertEquals(List.of("unacknowledged", "returned"), words());
  }

  @Test
  void theNextOwnerRaisesNothingTwiceAndLosesNothing() throws Exception {
    ShardAlarms first = alarms(HOT);
    see(first, "s/1", "{\"c\":90}", 1_000);
    first.order("hot", "s/1", new AlarmEvent.Acknowledge("anna", 2_000));
    Record kept = AlarmRecord.of(changes.get(1));
    changes.clear();

    ShardAlarms next = alarms(HOT);
    next.restore(
        List.of(
            new Placed(new Position(0, 1, 2), kept),
            new Placed(new Position(0, 1, 1), record("s/1", "{\"c\":90}", 1_000)),
            new Placed(new Position(0, 1, 3), record("s/2", "{\"c\":91}", 1_000))),
        List.of(),
        at(3_000));
    assertEquals(List.of("s/2"), changes.stream().map(AlarmState::topic).toList());
    changes.clear();
    see(next, "s/1", "{\"c\":92}", 4_000);
    assertEquals(List.of(), changes);
    see(next, "s/1", "{\"c\":60}", 5_000);
    assertEquals(List.of("normal"), words());
  }

  /** The record of a state leaves the Log some day. */
  @Test
  void whatStandsIsRecordedAgainAsTheLogGrowsOlder() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    alarms.restate(0);
    see(alarms, "s/1", "{\"c\":90}", 1_000);
    see(alarms, "s/2", "{\"c\":90}", 1_000);
    see(alarms, "s/2", "{\"c\":60}", 2_000);
    alarms.order("hot", "s/1", new AlarmEvent.Acknowledge("anna", 2_000));
    alarms.order("hot", "s/2", new AlarmEvent.Acknowledge("anna", 2_000));
    AlarmState acknowledged = changes.get(3);
    changes.clear();
    alarms.restate(0);
    assertEquals(List.of(), restated);
    alarms.restate(1);
    alarms.restate(1);
    assertEquals(List.of(acknowledged.restated()), restated, "what is normal needs no record");
    Record again = AlarmRecord.of(restated.get(0));
    assertNotEquals(AlarmRecord.of(acknowledged).id(), again.id());

    ShardAlarms next = alarms(HOT);
    Placed hot = new Placed(new Position(0, 1, 9), record("s/1", "{\"c\":90}", 3_000));
    next.restore(List.of(new Placed(new Position(0, 1, 8), again), hot), List.of(), at(3_000));
    assertEquals(List.of(), changes);
    next.restate(1);
    assertEquals(2, restated.size(), "the record before may be in another node's Log only");
    next.look(record("s/1", "{\"c\":60}", 4_000), 2, 1, at(4_000));
    assertEquals(List.of("normal"), words());
  }

  @Test
  void whatAnOwnerHasRaisedItselfItDoesNotRecordTwice() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    see(alarms, "s/1", "{\"c\":90}", 1_000);
    alarms.change(rules(HOT.replace("80", "85")), List.of(), List.of(), at(1_100));
    alarms.restate(0);
    assertEquals(List.of(), restated);
    alarms.restate(1);
    assertEquals(1, restated.size());
  }

  @Test
  void tenThousandAtOnceAreOneLine() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    for (int i = 0; i < 10_000; i++) {
      see(alarms, "s/" + i, "{\"c\":90}", 1_000);
    }
    var answer =
        AlarmList.of(AlarmList.Query.of(java.util.Map.of("limit", "10")), alarms::standing);
    assertEquals(10, answer.getJsonArray("alarms").size());
    assertEquals(9_990, answer.getInteger("left"));
    assertEquals(1, answer.getJsonArray("groups").size());
    assertEquals(
        10_000, answer.getJsonArray("groups").getJsonObject(0).getInteger("unacknowledged"));
  }

  @Test
  void aParentSuppresses() throws Exception {
    ShardAlarms alarms =
        alarms(
            "[{name: hot, topics: s, parent: burning, when: {limit: {field: c, above: 80}}},"
                + " {name: burning, topics: s, when: {limit: {field: c, above: 200}}}]");
    see(alarms, "s", "{\"c\":90}", 1_000);
    see(alarms, "s", "{\"c\":300}", 2_000);
    see(alarms, "s", "{\"c\":90}", 3_000);
    assertEquals(
        List.of(
            "hot unacknowledged",
            "burning unacknowledged",
            "hot suppressed",
            "burning returned",
            "hot unacknowledged"),
        changes.stream().map(one -> one.rule() + " " + one.word().word()).toList());
  }

  private static final String FAMILY =
      "[{name: hot, topics: s, parent: burning, when: {limit: {field: c, above: 80}}},"
          + " {name: burning, topics: s, when: {limit: {field: c, above: 200, clear: 50}}}]";

  private List<String> rulesAndWords() {
    return changes.stream().map(one -> one.rule() + " " + one.word().word()).toList();
  }

  private static Placed kept(AlarmState state, long at) {
    return new Placed(new Position(0, 1, at), AlarmRecord.of(state));
  }

  @Test
  void aRecordThatRaisesOrEndsBothShowsTheParentOnly() throws Exception {
    ShardAlarms alarms = alarms(FAMILY);
    see(alarms, "s", "{\"c\":300}", 1_000);
    assertEquals(List.of("burning unacknowledged", "hot suppressed"), rulesAndWords());
    see(alarms, "s", "{\"c\":10}", 2_000);
    assertEquals(List.of("hot normal", "burning returned"), rulesAndWords().subList(2, 4));
  }

  @Test
  void aParentGoesOnSuppressingUnderTheNextOwner() throws Exception {
    see(alarms(FAMILY), "s", "{\"c\":300}", 1_000);
    Placed parent = kept(changes.get(0), 2);
    changes.clear();
    ShardAlarms next = alarms(FAMILY);
    next.restore(List.of(parent), List.of(), at(2_000));
    next.look(record("s", "{\"c\":90}", 3_000), 2, 1, at(3_000));
    assertEquals(List.of("hot suppressed"), rulesAndWords());
  }

  @Test
  void aParentThatIsGoneSuppressesNothingUnderTheNextOwner() throws Exception {
    see(alarms(FAMILY), "s", "{\"c\":300}", 1_000);
    Placed child = kept(changes.get(1), 3);
    changes.clear();
    ShardAlarms next = alarms(FAMILY);
    next.restore(List.of(child), List.of(), at(2_000));
    assertEquals(List.of("hot unacknowledged"), rulesAndWords());
  }

  @Test
  void topicsWithoutARuleTakeNoRoom() throws Exception {
    ShardAlarms alarms = alarms(HOT, 10);
    for (int i = 0; i < 100; i++) {
      see(alarms, "other/" + i, "{\"c\":99}", 1_000);
    }
    see(alarms, "s/1", "{\"c\":99}", 1_000);
    assertEquals(List.of("unacknowledged"), words());
  }

  @Test
  void topicsOfWhichNothingIsToBeSaidGiveWay() throws Exception {
    ShardAlarms alarms = alarms(HOT, 10);
    see(alarms, "s/hot", "{\"c\":90}", 1_000);
    for (int i = 0; i < 9; i++) {
      see(alarms, "s/" + i, "{\"c\":9}", 1_000);
    }
    see(alarms, "s/next", "{\"c\":99}", 5_000);
    see(alarms, "s/hot", "{\"c\":9}", 5_000);
    assertEquals(List.of("unacknowledged", "unacknowledged", "returned"), words());
  }

  @Test
  void whatLiesBeforeWhatWasLookedAtSaysNothing() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    Placed last = new Placed(new Position(0, 1, 5), record("s/1", "{\"c\":9}", 1_000));
    alarms.restore(List.of(last), List.of(), at(2_000));
    alarms.look(record("s/1", "{\"c\":90}", 900), 1, 4, at(2_000));
    alarms.look(last.record(), 1, 5, at(2_000));
    assertEquals(List.of(), words());
    alarms.look(record("s/1", "{\"c\":90}", 3_000), 2, 1, at(3_000));
    assertEquals(List.of("unacknowledged"), words());
  }

  private static Placed placed(long offset, Record record) {
    return new Placed(new Position(0, 1, offset), record);
  }

  private static RuleSet rules(String yaml) throws Exception {
    return RuleSet.of(ConfigLoader.parse("alarms: {rules: " + yaml + "}", "t").alarms().rules());
  }

  @Test
  void anAlarmWhoseRuleIsGoneEndsAlsoWithTheNextOwner() throws Exception {
    ShardAlarms before = alarms(HOT);
    see(before, "s/1", "{\"c\":90}", 1_000);
    Placed raised = placed(9, AlarmRecord.of(changes.get(0)));
    changes.clear();
    ShardAlarms next = alarms(HOT.replace("hot", "other").replace("80", "95"));
    next.restore(
        List.of(raised, placed(1, record("s/1", "{\"c\":90}", 1_000))), List.of(), at(2_000));
    assertEquals(List.of("normal"), words());
    assertEquals("its rule is gone", changes.get(0).reason());
    changes.clear();
    Placed ended = placed(10, AlarmRecord.of(next(raised)));
    alarms(HOT)
        .restore(
            List.of(ended, placed(1, record("s/1", "{\"c\":90}", 1_000))), List.of(), at(3_000));
    assertEquals(List.of("unacknowledged"), words());
    assertEquals(4, changes.get(0).step(), "or its record would be taken for the first one");
    assertEquals("", changes.get(0).reason());
  }

  private static AlarmState next(Placed raised) {
    return AlarmRecord.read(raised.record()).orElseThrow().ended(2_000);
  }

  @Test
  void anAlarmGoesOnUnderAChangedRuleAndIsRaisedNoSecondTime() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    see(alarms, "s/1", "{\"c\":90}", 1_000);
    alarms.order("hot", "s/1", new AlarmEvent.Acknowledge("anna", 1_100));
    List<Placed> latest = List.of(placed(offset, record("s/1", "{\"c\":90}", 1_000)));
    alarms.change(
        rules(HOT.replace("high", "low").replace("80", "85")), latest, List.of(), at(1_200));
    alarms.change(
        rules(HOT.replace("high", "low").replace("80", "85")), latest, List.of(), at(1_300));
    assertEquals(List.of("unacknowledged", "acknowledged", "acknowledged"), words());
    assertEquals(Severity.LOW, changes.get(2).severity());
    alarms.change(rules(HOT.replace("80", "95").replace("75", "95")), latest, List.of(), at(1_400));
    assertEquals(List.of("acknowledged", "normal"), words().subList(3, 5));
    assertEquals(5, changes.size());
  }

  @Test
  void aNewSilenceCountsFromTheLastRecord() throws Exception {
    ShardAlarms alarms = alarms(HOT);
    see(alarms, "s/1", "{\"c\":1}", 1_000);
    List<Placed> latest = List.of(placed(offset, record("s/1", "{\"c\":1}", 1_000)));
    String silence = "[{name: gone, topics: s/+, when: {silence: {silentMs: %d}}}]";
    alarms.change(rules(silence.formatted(3_000)), latest, List.of(), at(2_000));
    alarms.tick(at(3_900));
    assertEquals(List.of(), words());
    alarms.tick(at(4_000));
    assertEquals(List.of("unacknowledged"), words());
    alarms.change(rules(silence.formatted(60_000)), latest, List.of(), at(4_100));
    assertEquals(List.of("unacknowledged", "returned"), words());
  }
}
