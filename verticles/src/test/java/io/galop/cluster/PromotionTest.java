package io.galop.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.MemberLeftException;
import io.galop.config.Role;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that stores becomes a full member while others come and go. */
@Timeout(180)
class PromotionTest {
  private static final Map<String, String> ATTRIBUTES =
      Map.of(
          "galop.name", "a",
          "galop.roles", Role.PERSIST.name(),
          "galop.shards", "4",
          "galop.bus.host", "127.0.0.1",
          "galop.bus.port", "1",
          "__vertx.nodeId", "id");

  private boolean isLite = true;
  private final Deque<RuntimeException> failures = new ArrayDeque<>();

  /** What Hazelcast throws where the member that it asked for the promotion leaves meanwhile. */
  @Test
  void aPromotionIsTriedAgainWhereItsLeaderLeft() {
    failures.add(new HazelcastException(new MemberLeftException("the leader")));
    failures.add(new IllegalStateException("the cluster has no leader"));
    cluster().open();
    assertEquals(false, isLite);
  }

  @Test
  void aNodeThatIsOnItsWayOutIsNotPromoted() {
    failures.add(new HazelcastInstanceNotActiveException());
    assertThrows(HazelcastInstanceNotActiveException.class, () -> cluster().open());
  }

  private HazelcastCluster cluster() {
    NodeAttributes attributes = new NodeAttributes("a", Set.of(Role.PERSIST), 4, "127.0.0.1", 1);
    NodeClusterManager manager =
        new NodeClusterManager(new Config(), attributes, new BusAddresses());
    return new HazelcastCluster(fake(HazelcastInstance.class), attributes, manager);
  }

  private <T> T fake(Class<T> type) {
    InvocationHandler handler =
        (self, method, arguments) ->
            switch (method.getName()) {
              case "getCluster", "getLocalMember", "getLifecycleService" ->
                  fake(method.getReturnType());
              case "getMembers" -> Set.of(fake(com.hazelcast.cluster.Member.class));
              case "isLiteMember" -> isLite;
              case "getAttribute" -> ATTRIBUTES.get((String) arguments[0]);
              case "promoteLocalLiteMember" -> promote();
              case "hashCode" -> 1;
              case "equals" -> self == arguments[0];
              default -> null;
            };
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), List.of(type).toArray(Class[]::new), handler));
  }

  private Object promote() {
    if (!failures.isEmpty()) {
      throw failures.poll();
    }
    isLite = false;
    return null;
  }
}
