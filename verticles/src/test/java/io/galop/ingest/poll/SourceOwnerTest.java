package io.galop.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.Logged;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** To which node a source falls while nodes come and go. */
class SourceOwnerTest {
  private static final Member SELF = new Member("1", "self", Set.of(Role.INGEST));
  private static final Member OTHER = new Member("2", "other", Set.of(Role.INGEST));

  private final PollMeters meters = new PollMeters(new SimpleMeterRegistry(), "s");
  private final Changing cluster = new Changing();
  private final List<String> lost = new ArrayList<>();
  private final SourceOwner owner = new SourceOwner(cluster, "s", meters);

  private static final class Changing implements Cluster {
    private List<Member> members = List.of(OTHER);
    private Consumer<List<Member>> listener = now -> {};

    void change(Member only) {
      members = List.of(only);
      listener.accept(members);
    }

    @Override
    public Member self() {
      return SELF;
    }

    @Override
    public List<Member> members() {
      return members;
    }

    @Override
    public int shards() {
      return 1;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {
      this.listener = listener;
    }
  }

  @Test
  void sourceFallsToThisNodeAndAwayFromIt() {
    owner.onLost(() -> lost.add("lost"));
    cluster.change(SELF);
    assertEquals(1, meters.asking.get());
    assertEquals(List.of(), lost);
    cluster.change(OTHER);
    assertEquals(List.of("lost"), lost);
  }

  @Test
  void ofAClosedSourceNothingIsSaidAndNothingCounted() {
    owner.onLost(() -> lost.add("lost"));
    owner.close();
    try (Logged log = new Logged(SourceOwner.class)) {
      cluster.change(SELF);
      cluster.change(OTHER);
      assertEquals(List.of(), log.with(""));
    }
    assertEquals(0, meters.asking.get());
    assertEquals(List.of(), lost);
  }
}
