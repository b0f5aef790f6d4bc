package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.cluster.Member;
import io.galop.config.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who was a member and is no more. */
class LostNodesTest {
  private static final Instant START = Instant.parse("2026-11-28T18:00:00Z");

  private final Member a = new Member("1", "a", Set.of(Role.PERSIST));
  private final Member b = new Member("2", "b", Set.of(Role.INGEST, Role.BROADCAST));
  private final Member c = new Member("3", "c", Set.of(Role.BROADCAST));
  private final LostNodes lost = new LostNodes();

  private Optional<LostNodes.Missing> look(long seconds, Member... members) {
    return lost.look(List.of(members), START.plusSeconds(seconds));
  }

  @Test
  void whoGoesIsLostUntilItIsBackUnderItsName() {
    assertEquals(Optional.empty(), look(0, a, b, c));
    String one = "the node b (ingest, broadcast) is lost: it is in the cluster no more";
    assertEquals(Optional.of(new LostNodes.Missing(one, START.plusSeconds(2))), look(2, a, c));
    String two =
        "2 nodes are lost: they are in the cluster no more: b (ingest, broadcast), c (broadcast)";
    assertEquals(Optional.of(new LostNodes.Missing(two, START.plusSeconds(2))), look(4, a));
    Member again = new Member("4", "b", b.roles());
    String other = "the node c (broadcast) is lost: it is in the cluster no more";
    assertEquals(
        Optional.of(new LostNodes.Missing(other, START.plusSeconds(4))), look(6, a, again));
    assertEquals(Optional.empty(), look(8, a, again, c));
  }

  @Test
  void whoSaidThatItGoesIsNotLostAndIsTheNextTimeIfItSaysNothing() {
    look(0, a, b, c);
    lost.leaves(b.id());
    assertEquals(Optional.empty(), look(2, a, b, c), "it is still there");
    assertEquals(Optional.empty(), look(4, a, c));
    String one = "the node c (broadcast) is lost: it is in the cluster no more";
    assertEquals(Optional.of(new LostNodes.Missing(one, START.plusSeconds(6))), look(6, a));
    Member again = new Member("4", "b", b.roles());
    look(8, a, again);
    lost.leaves(b.id());
    String two =
        "2 nodes are lost: they are in the cluster no more: b (ingest, broadcast), c (broadcast)";
    assertEquals(Optional.of(new LostNodes.Missing(two, START.plusSeconds(6))), look(10, a));
  }

  @Test
  void whoIsHeardToGoOnlyAfterItHasGoneIsLostNoMore() {
    look(0, a, b);
    assertEquals(true, look(2, a).isPresent());
    lost.leaves(b.id());
    assertEquals(Optional.empty(), look(4, a));
  }

  @Test
  void whoDoesNotComeBackIsForgottenAfterAnHour() {
    look(0, a, b);
    look(2, a);
    assertEquals(true, look(3_602, a).isPresent());
    assertEquals(Optional.empty(), look(3_603, a));
    assertEquals(Optional.empty(), look(3_605, a));
  }
}
