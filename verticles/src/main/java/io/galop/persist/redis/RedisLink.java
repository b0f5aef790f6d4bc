package io.galop.persist.redis;

import io.vertx.core.Future;
import java.util.List;

/** The way to the server. Nothing here blocks but {@link #close}. */
interface RedisLink extends AutoCloseable {

  /** Closes the connections that write, so that nothing is left on its way, and makes new ones. */
  Future<Void> reset();

  /**
   * Sends commands at once behind one another.
   *
   * @return their replies in order; fails if any is an error
   */
  Future<List<RedisReply>> write(List<RedisCommand> commands);

  /** The same on other connections, which large answers may keep busy. */
  Future<List<RedisReply>> read(List<RedisCommand> commands);

  @Override
  void close();
}
