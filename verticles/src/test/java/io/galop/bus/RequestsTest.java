package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.ClusterConfig;
import io.galop.config.ConfigLoader;
import io.galop.config.Role;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of requests to a node that goes. None of these waits for the time of an attempt. */
@Timeout(180)
class RequestsTest {
  private static final Ask ASK = new Ask(0, Position.none(0), "", 1);
  private final Two cluster = new Two();
  private Vertx vertx;
  private Bus here;
  private Bus there;

  /** Two members, of which one may go. */
  private static final class Two implements Cluster {
    private final Member here = new Member("1", "here", Set.of(Role.BROADCAST));
    private final Member there = new Member("2", "there", Set.of(Role.PERSIST));
    private final List<Consumer<List<Member>>> listeners = new CopyOnWriteArrayList<>();
    private volatile List<Member> members = List.of(here, there);
    private int leavesAfterLooks;

    void loseThere() {
      members = List.of(here);
      listeners.forEach(listener -> listener.accept(members));
    }

    @Override
    public Member self() {
      return here;
    }

    @Override
    public List<Member> members() {
      List<Member> now = members;
      if (leavesAfterLooks > 0 && --leavesAfterLooks == 0) {
        loseThere();
      }
      return now;
    }

    @Override
    public int shards() {
      return 1;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {
      listeners.add(listener);
    }
  }

  private record From(Cluster cluster, Member self) implements Cluster {
    @Override
    public List<Member> members() {
      return cluster.members();
    }

    @Override
    public int shards() {
      return cluster.shards();
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {
      cluster.onChange(listener);
    }
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    ClusterConfig config = config(60_000);
    here = Bus.open(vertx, cluster, config);
    there = Bus.open(vertx, new From(cluster, cluster.there), config);
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void whatANodeThatLeavesHasNotAnsweredFailsAtOnce() throws Exception {
    Promise<Void> asked = Promise.promise();
    there
        .feed()
        .onFetch(
            0,
            ask -> {
              asked.complete();
              return Promise.<Page>promise().future();
            });
    Future<Page> answer = here.feed().fetch(ASK);
    get(asked.future());
    cluster.loseThere();
    assertEquals("node there has left the cluster", refusal(answer).getMessage());
    assertEquals("left", Refusal.reason(refusal(answer)));
  }

  /** It leaves after it was looked for, and before what it is asked is noted. */
  @Test
  void whatIsAskedAsTheNodeLeavesFailsAtOnce() throws Exception {
    there.feed().onFetch(0, ask -> Promise.<Page>promise().future());
    cluster.leavesAfterLooks = 2;
    assertEquals("node there has left the cluster", refusal(here.feed().fetch(ASK)).getMessage());
  }

  @Test
  void whoDoesNotAnswerIsNamedWithWhatItWasAsked() throws Exception {
    there.handover().onSeal(0, seal -> Promise.<Sealed>promise().future());
    Bus hasty = Bus.open(vertx, cluster, config(300));
    Refusal refusal = refusal(hasty.handover().seal("2", new Seal(0, "1")));
    assertEquals(Refusal.Why.NOT_READY, refusal.why());
    assertEquals(
        "node there, asked to hand over shard 0, has not answered within 300 ms: "
            + "it stands still, has too much to do, or cannot be reached",
        refusal.getMessage());
    assertEquals(Refusal.NO_ANSWER, Refusal.reason(refusal));
    assertEquals("not_ready", Refusal.word(refusal), "as it is over the wire");
  }

  /** It is there, and answers that it cannot. */
  @Test
  void whoSaysThatItCannotHasAnswered() throws Exception {
    assertEquals("not_ready", Refusal.reason(refusal(here.feed().fetch(ASK))));
  }

  private static ClusterConfig config(long attemptTimeoutMs) {
    List<String> set = List.of("cluster.attemptTimeoutMs=" + attemptTimeoutMs);
    return ConfigLoader.load(Optional.empty(), Map.of(), set, Map.of()).cluster();
  }

  private static Refusal refusal(Future<?> answer) {
    Throwable cause = assertThrows(ExecutionException.class, () -> get(answer)).getCause();
    return assertInstanceOf(Refusal.class, cause);
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
