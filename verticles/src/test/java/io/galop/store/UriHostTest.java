package io.galop.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.io.IOException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class UriHostTest {
  private static final UriHost.Lookup NEVER =
      name -> {
        throw new UnknownHostException(name);
      };

  @Test
  void onlyNamesThatNoUriTakesAreLookedUp() throws Exception {
    assertEquals("redis.example", UriHost.looked("redis.example", NEVER));
    assertEquals("127.0.0.1", UriHost.looked("127.0.0.1", NEVER));
    assertEquals("[::1]", UriHost.looked("::1", NEVER));
    assertEquals("[::1]", UriHost.looked("[::1]", NEVER));
    assertEquals("172.18.0.3", UriHost.looked("my_redis", name -> "172.18.0.3"));
    assertEquals("[fd00:0:0:0:0:0:0:3]", UriHost.looked("redis_1", name -> "fd00:0:0:0:0:0:0:3"));
  }

  @Test
  void aNameThatNobodyKnowsIsTold() {
    IOException unknown = assertThrows(IOException.class, () -> UriHost.looked("my_redis", NEVER));
    assertEquals("the host my_redis is not known", unknown.getMessage());
  }

  @Test
  void theClientOfRedisTakesWhatComesOut() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      for (String host : new String[] {"::1", "redis.example", "my_redis"}) {
        String uri = "redis://" + UriHost.looked(host, name -> "127.0.0.1") + ":6379/0";
        Redis.createClient(vertx, new RedisOptions().setConnectionString(uri)).close();
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }
}
