package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Addresses.Lane;
import io.galop.bus.Owners.Owner;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is worked out once for each change is what would be worked out anew. */
class OwnersTest {
  private static final int SHARDS = 16;
  private static final Member A = new Member("id-a", "a", Set.of(Role.PERSIST));
  private static final Member B = new Member("id-b", "b", Set.of(Role.PERSIST));
  private static final Member OPENING = new Member("id-b", "b", Set.of(Role.PERSIST), true);

  private static final class Changing implements Cluster {
    private volatile List<Member> members = List.of(A, B);

    @Override
    public Member self() {
      return A;
    }

    @Override
    public List<Member> members() {
      return members;
    }

    @Override
    public int shards() {
      return SHARDS;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {}
  }

  private final Changing cluster = new Changing();
  private final Owners owners = new Owners(cluster, Role.PERSIST, Lane.PERSIST);

  private void assertAsTheClusterSays() {
    for (int shard = 0; shard < SHARDS; shard++) {
      Optional<Member> expected = cluster.owner(Role.PERSIST, shard);
      assertEquals(expected, owners.of(shard).map(Owner::member));
      String address = expected.map(Member::id).orElse("") + ".persist." + shard;
      assertTrue(owners.of(shard).stream().allMatch(o -> o.address().equals("galop." + address)));
    }
  }

  @Test
  void followsTheCluster() {
    assertAsTheClusterSays();
    cluster.members = List.of(A, OPENING);
    assertAsTheClusterSays();
    cluster.members = List.of(B);
    assertAsTheClusterSays();
    cluster.members = List.of();
    assertAsTheClusterSays();
  }

  @Test
  void nothingIsWorkedOutTwice() {
    assertSame(owners.of(3).orElseThrow(), owners.of(3).orElseThrow());
  }
}
