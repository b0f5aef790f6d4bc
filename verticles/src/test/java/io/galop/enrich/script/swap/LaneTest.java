package io.galop.enrich.script.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Bus;
import io.galop.bus.Listeners;
import io.galop.bus.LocalCluster;
import io.galop.bus.Node;
import io.galop.bus.Readiness;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.ScriptConfig;
import io.galop.record.Record;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What no task should throw costs a record, and whoever waits for its list has it all the same. */
@Timeout(60)
class LaneTest {
  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();

  private Lane lane(String source) throws Exception {
    Files.writeString(directory.resolve("s.stuck"), source);
    String yaml = "enrich: {directory: '%s', chain: [script: {file: s.stuck}]}";
    GalopConfig config = ConfigLoader.parse(yaml.formatted(directory), "test.yaml");
    LocalCluster cluster = new LocalCluster("n", Set.of(Role.values()), 1);
    Bus bus = Bus.open(vertx, cluster, config.cluster());
    Node node = new Node(config, bus, new SimpleMeterRegistry(), new Readiness(), new Listeners());
    return new ScriptStep(node, (ScriptConfig) config.enrich().chain().get(0)).open();
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private static Record record(String id) {
    return new Record(id, "t", 1, "{}".getBytes(StandardCharsets.UTF_8));
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
    List<Record> enriched = await(lane.enrich(vertx, new Starved()));
    assertEquals(List.of("r0", "r1#0", "r2"), enriched.stream().map(Record::id).toList());
    assertEquals(1, await(lane.enrich(vertx, List.of(record("next")))).size());
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
}
