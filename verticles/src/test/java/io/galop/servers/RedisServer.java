package io.galop.servers;

import java.nio.file.Path;
import java.util.List;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;

/** The distribution's redis-server, which keeps nothing on disk: a restart empties it. */
public final class RedisServer extends StoreServer {
  private static final int TIMEOUT_MS = 60_000;

  @Override
  List<String> command(Path directory, int port) {
    return List.of(
        "redis-server",
        "--bind",
        "127.0.0.1",
        "--port",
        Integer.toString(port),
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        directory.toString());
  }

  @Override
  boolean answers(long pid) {
    try (Jedis jedis = client()) {
      return jedis.info("server").contains("process_id:" + pid + "\r\n");
    }
  }

  /** A connection of the caller's own, to look at what is stored; to be closed. */
  public Jedis client() {
    return client(port(), TIMEOUT_MS);
  }

  /** The same on another port, that of a proxy in front, say. */
  public static Jedis client(int port, int timeoutMs) {
    JedisClientConfig config =
        DefaultJedisClientConfig.builder()
            .autoNegotiateProtocol(false)
            .timeoutMillis(timeoutMs)
            .build();
    return new Jedis(new HostAndPort("127.0.0.1", port), config);
  }

  /** {@code redis://…} without credentials. */
  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /** How often a command was called since the server's start, by {@code INFO commandstats}. */
  public long calls(String command) {
    try (Jedis jedis = client()) {
      String prefix = "cmdstat_" + command + ":calls=";
      return jedis
          .info("commandstats")
          .lines()
          .filter(line -> line.startsWith(prefix))
          .mapToLong(line -> Long.parseLong(line.substring(prefix.length(), line.indexOf(','))))
          .sum();
    }
  }

  @Override
  public void empty() {
    try (Jedis jedis = client()) {
      jedis.flushAll();
    }
  }
}
