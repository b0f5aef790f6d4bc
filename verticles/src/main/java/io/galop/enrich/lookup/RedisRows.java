package io.galop.enrich.lookup;

import io.galop.config.enrich.LookupCacheConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.LookupRedisConfig;
import io.galop.config.enrich.LookupRedisConfig.Format;
import io.galop.json.JsonSplice;
import io.galop.json.JsonString;
import io.galop.store.UriHost;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows under keys of Redis: JSON objects with one MGET, hashes with a pipeline of HGETALL. */
final class RedisRows implements RowStore {
  private final Redis redis;
  private final String prefix;
  private final boolean isJson;

  RedisRows(Vertx vertx, RedisOptions options, LookupConfig config) {
    this.redis = Redis.createClient(vertx, options);
    this.prefix = config.table() + ':';
    this.isJson = ((LookupRedisConfig) config.source()).format() == Format.JSON;
  }

  /** Blocking. */
  static RedisOptions options(LookupRedisConfig config, LookupCacheConfig cache)
      throws IOException {
    boolean tls = config.tls().enabled();
    NetClientOptions net = new NetClientOptions();
    if (tls) {
      net.setSsl(true).setHostnameVerificationAlgorithm(config.tls().verifyHost() ? "HTTPS" : "");
      if (!config.tls().caFile().isEmpty()) {
        net.setTrustOptions(new PemTrustOptions().addCertPath(config.tls().caFile()));
      }
    }
    String password = config.login().readPassword();
    RedisOptions options =
        new RedisOptions()
            .setConnectionString(uri(config, tls))
            .setNetClientOptions(net)
            .setMaxPoolSize(cache.connections())
            .setMaxPoolWaiting(cache.connections())
            .setMaxWaitingHandlers(cache.maxKeys() + 1);
    if (!config.login().user().isEmpty()) {
      options.setUser(config.login().user());
    }
    return password.isEmpty() ? options : options.setPassword(password);
  }

  private static String uri(LookupRedisConfig config, boolean tls) throws IOException {
    String host = UriHost.looked(config.host());
    return (tls ? "rediss://" : "redis://") + host + ':' + config.port() + '/' + config.database();
  }

  @Override
  public Future<Void> check() {
    return redis.send(Request.cmd(Command.PING)).mapEmpty();
  }

  @Override
  public Future<Map<String, String>> select(List<String> keys) {
    return isJson ? texts(keys) : hashes(keys);
  }

  private Future<Map<String, String>> texts(List<String> keys) {
    Request mget = Request.cmd(Command.MGET);
    keys.forEach(key -> mget.arg(prefix + key));
    return redis
        .send(mget)
        .map(
            answer -> {
              Map<String, String> rows = new HashMap<>();
              for (int i = 0; i < keys.size(); i++) {
                if (answer.get(i) != null) {
                  rows.put(keys.get(i), JsonSplice.object(answer.get(i).toString()));
                }
              }
              return rows;
            });
  }

  /** Sent behind one another on one connection, so that an error is only its own key's. */
  private Future<Map<String, String>> hashes(List<String> keys) {
    return redis
        .connect()
        .compose(
            connection -> {
              List<Future<Response>> all =
                  keys.stream()
                      .map(key -> connection.send(hash(prefix + key)).recover(RedisRows::noHash))
                      .toList();
              return Future.all(all)
                  .map(done -> rows(keys, all))
                  .onComplete(any -> connection.close());
            });
  }

  /** The server answers with an error where a key holds something else: then it holds no row. */
  private static Future<Response> noHash(Throwable failure) {
    boolean answered = failure instanceof Response;
    return answered ? Future.succeededFuture() : Future.failedFuture(failure);
  }

  private static Map<String, String> rows(List<String> keys, List<Future<Response>> hashes) {
    Map<String, String> rows = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Response hash = hashes.get(i).result();
      if (hash != null && hash.size() > 0) {
        rows.put(keys.get(i), object(hash));
      }
    }
    return rows;
  }

  private static Request hash(String key) {
    return Request.cmd(Command.HGETALL).arg(key);
  }

  /** A list of names and values before RESP3, a map since. */
  private static String object(Response hash) {
    StringBuilder object = new StringBuilder("{");
    for (String name : hash.getKeys()) {
      object.append(object.length() == 1 ? "" : ",").append(JsonString.quoted(name)).append(':');
      object.append(JsonSplice.ofCell(hash.get(name).toString()));
    }
    return object.append('}').toString();
  }

  @Override
  public void close() {
    redis.close();
  }
}
