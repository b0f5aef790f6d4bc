package io.galop.enrich.script.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.cluster.LocalCluster;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.Script;
import io.galop.enrich.script.stuck.StuckLanguage;
import io.galop.enrich.step.StepTally;
import io.galop.guest.SourceFile;
import io.galop.node.Node;
import io.galop.node.Readiness;
import io.galop.record.Record;
import io.galop.socket.Listeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What no task should throw costs a record, and whoever waits for its list has it all the same. */
@Tag("slow")
@Timeout(180)
class LaneTest {
  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Readiness readiness = new Readiness();

  private ScriptStep step(String source, String keys) throws Exception {
    Files.writeString(directory.resolve("s.stuck"), source);
    String yaml = "enrich: {directory: '%s', chain: [script: {file: s.stuck, %s}]}";
    GalopConfig config = ConfigLoader.parse(yaml.formatted(directory, keys), "test.yaml");
    LocalCluster cluster = new LocalCluster("n", Set.of(Role.values()), 1);
    Bus bus = Bus.open(vertx, cluster, config.cluster());
    Node node = new Node(config, bus, meters, readiness, new Listeners());
    return new ScriptStep(
        node,
        (ScriptConfig) config.enrich().chain().get(0),
        Long.MAX_VALUE,
        new ScriptMemory(Stream::empty));
  }

  private Lane lane(String source) throws Exception {
    return step(source, "timeLimitMs: 1000").open();
  }

  @AfterEach
  void close() throws Exception {
    StuckLanguage.loadsHang = false;
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static Record record(String id) {
    return record(id, "{}");
  }

  private static Record record(String id, String data) {
    return new Record(id, "t", 1, data.getBytes(StandardCharsets.UTF_8));
  }

  private static String data(Record record) {
    return new String(record.data(), StandardCharsets.UTF_8);
  }

  private double gauge(String meter) {
    return meters.get("galop.enrich.script." + meter).gauge().value();
  }

  /** Looks after the lane, as the node does, until there is an answer. */
  private static List<Record> enriched(Lane lane, Future<List<Record>> answer) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!answer.isComplete()) {
      assertTrue(System.nanoTime() < deadline, "nobody goes on");
      lane.giveUpIfStuck();
      Thread.sleep(10);
    }
    return answer.result();
  }

  /** Has no memory for its second record, once. */
  private static final class Starved extends AbstractList<Record> {
    private boolean isStarved = true;

    @Override
    public Record get(int index) {
      if (index == 1 && isStarved) {
        isStarved = false;
        throw new OutOfMemoryError("Java heap space");
      }
      return record("r" + index);
    }

    @Override
    public int size() {
      return 3;
    }
  }

  @Test
  void aListThatATaskBreaksOffInIsDoneAllTheSame() throws Exception {
    Lane lane = lane("");
    await(lane.start(vertx));
    lane.atBoundary(
        on -> {
          throw new OutOfMemoryError("Java heap space");
        });
    List<Record> enriched = await(lane.enrich(vertx, new Starved(), new StepTally()));
    assertEquals(
        List.of("r0", "r1#0@47mKTaMaEn", "r2"), enriched.stream().map(Record::id).toList());
    assertEquals(1, await(lane.enrich(vertx, List.of(record("next")), new StepTally())).size());
    await(lane.close());
  }

  @Test
  void aStartThatBreaksOffFailsWithASentence() throws Exception {
    Lane lane = lane("broken");
    var failure = assertThrows(ExecutionException.class, () -> await(lane.start(vertx)));
    String why = failure.getCause().getMessage();
    assertTrue(why.startsWith("script s.stuck cannot be started: loading it broke off:"), why);
    await(lane.close());
  }

  @Test
  void aLoadThatHangsIsGivenUpAndMadeAgainWhenItHasEnded() throws Exception {
    Lane lane = new Lane(step("", "timeLimitMs: 50").context(), "lane", 300);
    await(lane.start(vertx));
    StuckLanguage.loadsHang = true;
    List<Record> hung =
        enriched(
            lane,
            lane.enrich(
                vertx,
                List.of(record("a", "{\"v\":\"hang\"}"), record("b", "{}")),
                new StepTally()));
    assertEquals(
        List.of("a#0@47mKTaMaEn", "b#0@47mKTaMaEn"), hung.stream().map(Record::id).toList());
    assertTrue(data(hung.get(0)).contains("it did not end when timeLimitMs had passed"));
    assertTrue(data(hung.get(1)).contains("could not be loaded again"), data(hung.get(1)));
    assertEquals(2, gauge("threads.hanging"));
    StuckLanguage.loadsHang = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (gauge("threads.hanging") > 1) {
      assertTrue(System.nanoTime() < deadline, "the load has ended");
      Thread.sleep(10);
    }
    assertEquals(
        "c", enriched(lane, lane.enrich(vertx, List.of(record("c")), new StepTally())).get(0).id());
    await(lane.close());
  }

  @Test
  void asManyThreadsAsMayHangSuspendTheScriptUntilAnotherVersionComes() throws Exception {
    ScriptStep step = step("", "timeLimitMs: 50, breaker: {maxHangingThreads: 1}");
    Lane lane = step.open();
    await(lane.start(vertx));
    enriched(lane, lane.enrich(vertx, List.of(record("a", "{\"v\":\"hang\"}")), new StepTally()));
    assertTrue(lane.isSuspended());
    String why =
        data(enriched(lane, lane.enrich(vertx, List.of(record("b")), new StepTally())).get(0));
    assertTrue(why.contains("suspended, as 1 threads hang in it (breaker.maxHang"), why);
    step.look();
    assertTrue(readiness.warnings().get("script s").contains("a mended version"));
    step.context().live(step.context().live());
    Script fresh = step.context().live().open(lane.states());
    lane.replace(fresh, step.context().inUse().hanging(), before -> {});
    await(() -> !lane.isSuspended(), () -> {}, "the other one is tried at once");
    assertEquals(
        "c", enriched(lane, lane.enrich(vertx, List.of(record("c")), new StepTally())).get(0).id());
    step.look();
    assertEquals(Map.of(), readiness.warnings());
    assertEquals(1, gauge("threads.hanging"), "it is still there");
    await(lane.close());
  }

  @Test
  void noVersionIsTriedBesideAsManyAsMayHang() throws Exception {
    ScriptStep step = step("", "breaker: {maxHangingThreads: 1}");
    Hanging.Member member = new Hanging.Member();
    member.giveUp(step.context().trials());
    String problem = Loading.problem(step.context().live(), step.context().trials());
    assertTrue(problem.startsWith("as many versions hang as breaker.maxHangingThreads"), problem);
    member.end();
    assertEquals("", Loading.problem(step.context().live(), step.context().trials()));
    member.giveUp(step.context().trials());
    assertEquals(
        "", Loading.problem(step.context().live(), step.context().trials()), "it has ended before");
  }

  private static void await(BooleanSupplier isSo, Runnable meanwhile, String what)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!isSo.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, what);
      meanwhile.run();
      Thread.sleep(10);
    }
  }

  @Test
  void aThreadThatHangsInTheVersionBeforeIsNotTheNewOnes() throws Exception {
    ScriptStep step = step("", "timeLimitMs: 50, breaker: {maxHangingThreads: 1}");
    Lane lane = step.open();
    await(lane.start(vertx));
    Future<List<Record>> hung =
        lane.enrich(vertx, List.of(record("a", "{\"v\":\"hang\"}")), new StepTally());
    step.context()
        .live(step.context().version(new SourceFile("s.stuck", "mended"), Optional.empty()));
    enriched(lane, hung);
    assertFalse(lane.isSuspended());
    assertEquals(
        "b", enriched(lane, lane.enrich(vertx, List.of(record("b")), new StepTally())).get(0).id());
    assertEquals(1, gauge("threads.hanging"), "it is still there");
    await(lane.close());
  }

  @Test
  void aThreadThatHangsInAVersionWhoseTrialHasEndedCountsAsOne() throws Exception {
    ScriptStep step = step("", "timeLimitMs: 50, breaker: {maxHangingThreads: 1}");
    Lane lane = step.open();
    await(lane.start(vertx));
    Trial trial =
        new Trial(
            step, step.context().version(new SourceFile("s.stuck", "hangs"), Optional.empty()));
    trial.shadow();
    await(lane.enrich(vertx, List.of(record("a")), new StepTally()));
    await(() -> lane.shadow().callNanos() > 0, () -> {}, "the candidate is called");
    trial.end(RolloutPhase.ROLLED_BACK, "a newer version has come");
    await(step.context().trials()::isFull, step::look, "its thread counts");
    assertEquals(1, gauge("threads.hanging"));
    await(lane.close());
  }
}
