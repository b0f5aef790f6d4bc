package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.galop.jvm.ErrorText;
import io.galop.persist.store.BlockingConnections;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** Jedis, which blocks, on threads of its own with a connection each. */
final class RedisThreadLink implements RedisLink {
  private static final int READERS = 2;
  private static final int MOST_WAITING_READS = 256;
  private static final int PROBE_MS = 2_000;
  private final RedisConfig config;
  private final BlockingConnections<Connection> connections;

  RedisThreadLink(RedisConfig config) {
    this.config = config;
    this.connections =
        new BlockingConnections<>(
            config.name(),
            config.sink(),
            READERS,
            MOST_WAITING_READS,
            this::connect,
            Connection::disconnect,
            RedisThreadLink::isOpen);
  }

  /** An error is an answer too, as to a user who may not ping. */
  private static boolean isOpen(Connection connection) {
    int timeoutMs = connection.getSoTimeout();
    try {
      connection.setSoTimeout(Math.min(timeoutMs, PROBE_MS));
      return connection.ping();
    } catch (JedisDataException e) {
      return true;
    } finally {
      connection.setSoTimeout(timeoutMs);
    }
  }

  private Connection connect() throws IOException {
    int timeoutMs = (int) config.sink().timeoutMs();
    String password = config.login().readPassword();
    var options =
        DefaultJedisClientConfig.builder()
            .resp2()
            .autoNegotiateProtocol(false)
            .connectionTimeoutMillis(timeoutMs)
            .socketTimeoutMillis(timeoutMs)
            .database(config.database());
    if (!password.isEmpty()) {
      options.password(password);
      if (!config.login().user().isEmpty()) {
        options.user(config.login().user());
      }
    }
    return new Connection(new RedisSockets(config), options.build());
  }

  @Override
  public Future<Void> reset() {
    connections.resetWriters();
    return write(List.of(new RedisCommand("ECHO", "galop"))).mapEmpty();
  }

  @Override
  public Future<List<RedisReply>> write(List<RedisCommand> commands) {
    return connections.write(connection -> pipeline(connection, commands));
  }

  @Override
  public Future<List<RedisReply>> read(List<RedisCommand> commands) {
    return connections.read(connection -> pipeline(connection, commands));
  }

  private static List<RedisReply> pipeline(Connection connection, List<RedisCommand> commands) {
    for (RedisCommand command : commands) {
      connection.sendCommand(
          Protocol.Command.valueOf(command.name()), command.arguments().toArray(new byte[0][]));
    }
    List<RedisReply> replies = new ArrayList<>(commands.size());
    for (Object reply : connection.getMany(commands.size())) {
      if (reply instanceof JedisDataException error) {
        throw new RedisError(ErrorText.of(error));
      }
      replies.add(reply(reply));
    }
    return replies;
  }

  private static RedisReply reply(@Nullable Object raw) {
    return raw instanceof List<?> list
        ? new RedisReply(list.stream().map(RedisThreadLink::reply).toList())
        : new RedisReply(raw);
  }

  @Override
  public void close() {
    connections.close();
  }
}
