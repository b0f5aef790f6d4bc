package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.galop.jvm.ErrorText;
import io.galop.store.StoreTls;
import io.galop.store.UriHost;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import io.vertx.redis.client.impl.types.ErrorType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of Vert.x: one connection for all that is written, on which batches follow one another
 * without waiting, and one for all that is read. A batch goes to its connection itself, since the
 * client's pool refuses what it cannot send at once.
 */
final class RedisEventLoopLink implements RedisLink {
  private static final Logger LOG = LoggerFactory.getLogger(RedisEventLoopLink.class);
  private static final long LONGEST_CLOSE_S = 5;
  private static final int MOST_WAITING_REPLIES = 1 << 20;
  private static final Map<String, Command> COMMANDS = new ConcurrentHashMap<>();
  private final Vertx vertx;
  private final RedisConfig config;
  private final Context context;
  private Future<Wire> writer = Future.failedFuture("not connected yet");
  private Future<Wire> reader = Future.failedFuture("not connected yet");

  private record Wire(Redis client, RedisConnection connection) {}

  RedisEventLoopLink(Vertx vertx, RedisConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.context = vertx.getOrCreateContext();
  }

  @Override
  public Future<Void> reset() {
    return on(
        () -> {
          writer.onSuccess(wire -> wire.client().close());
          writer = connect();
          return writer.mapEmpty();
        });
  }

  @Override
  public Future<List<RedisReply>> write(List<RedisCommand> commands) {
    return on(() -> writer.compose(wire -> send(wire, commands)));
  }

  /** A connection that was idle may have been closed: then a new one is tried once. */
  @Override
  public Future<List<RedisReply>> read(List<RedisCommand> commands) {
    return on(
        () -> {
          Future<Wire> known = reader;
          return tryRead(commands)
              .recover(
                  failure ->
                      known.succeeded() && !(failure instanceof RedisError)
                          ? tryRead(commands)
                          : Future.failedFuture(failure));
        });
  }

  private Future<List<RedisReply>> tryRead(List<RedisCommand> commands) {
    if (reader.failed()) {
      reader = connect();
    }
    Future<Wire> used = reader;
    return used.compose(wire -> send(wire, commands))
        .recover(
            failure -> {
              onReadFailed(used, failure);
              return Future.failedFuture(failure);
            });
  }

  /** An answer that is an error leaves the connection whole; anything else does not. */
  private void onReadFailed(Future<Wire> used, Throwable failure) {
    if (used == reader && !(failure instanceof RedisError)) {
      used.onSuccess(wire -> wire.client().close());
      reader = Future.failedFuture(failure);
    }
  }

  /** The files of a login and perhaps the name service are asked first, which may take long. */
  private Future<Wire> connect() {
    return vertx.executeBlocking(this::options, false).compose(this::connect);
  }

  private Future<Wire> connect(RedisOptions options) {
    Redis client = Redis.createClient(vertx, options);
    return client
        .connect()
        .map(connection -> new Wire(client, connection))
        .onSuccess(wire -> wire.connection().exceptionHandler(broken -> onBroken(wire)))
        .onFailure(failure -> client.close());
  }

  private void onBroken(Wire wire) {
    if (reader.succeeded() && reader.result() == wire) {
      reader = Future.failedFuture("the connection was closed");
    }
  }

  private RedisOptions options() throws IOException {
    boolean encrypted = config.tls().enabled();
    NetClientOptions net =
        new NetClientOptions()
            .setConnectTimeout((int) config.sink().timeoutMs())
            .setIdleTimeout((int) (2 * config.sink().timeoutMs()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setTcpKeepAlive(true)
            .setTcpNoDelay(true)
            .setSsl(encrypted)
            .setHostnameVerificationAlgorithm(config.tls().verifyHost() ? "HTTPS" : "");
    StoreTls.trust(config.tls()).ifPresent(net::setTrustOptions);
    RedisOptions options =
        new RedisOptions()
            .setNetClientOptions(net)
            .setProtocolNegotiation(false)
            .setMaxPoolSize(1)
            .setMaxWaitingHandlers(MOST_WAITING_REPLIES)
            .setConnectionString(
                "%s://%s:%d/%d"
                    .formatted(
                        encrypted ? "rediss" : "redis",
                        UriHost.looked(config.host()),
                        config.port(),
                        config.database()));
    String password = config.login().readPassword();
    if (!password.isEmpty()) {
      options.setPassword(password);
      if (!config.login().user().isEmpty()) {
        options.setUser(config.login().user());
      }
    }
    return options;
  }

  private static Future<List<RedisReply>> send(Wire wire, List<RedisCommand> commands) {
    List<Request> requests = new ArrayList<>(commands.size());
    for (RedisCommand command : commands) {
      Request request =
          Request.cmd(COMMANDS.computeIfAbsent(command.name(), name -> Command.create(name)));
      command.arguments().forEach(request::arg);
      requests.add(request);
    }
    return wire.connection()
        .batch(requests)
        .compose(RedisEventLoopLink::replies, failure -> Future.failedFuture(asError(failure)));
  }

  private static Throwable asError(Throwable failure) {
    return failure instanceof ErrorType error ? new RedisError(ErrorText.of(error)) : failure;
  }

  private static Future<List<RedisReply>> replies(List<Response> responses) {
    List<RedisReply> replies = new ArrayList<>(responses.size());
    for (Response response : responses) {
      if (response != null && response.type() == ResponseType.ERROR) {
        return Future.failedFuture(new RedisError(response.toString()));
      }
      replies.add(reply(response));
    }
    return Future.succeededFuture(replies);
  }

  private static RedisReply reply(@Nullable Response response) {
    if (response == null) {
      return new RedisReply(null);
    }
    if (response.type() == ResponseType.NUMBER) {
      return new RedisReply(response.toLong());
    }
    if (response.type() == ResponseType.MULTI) {
      return new RedisReply(response.stream().map(RedisEventLoopLink::reply).toList());
    }
    return new RedisReply(response.toBytes());
  }

  /** The client's state is the event loop's. */
  private <T> Future<T> on(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    context.runOnContext(v -> work.get().onComplete(done));
    return done.future();
  }

  @Override
  public void close() {
    Future<Void> closed =
        on(
            () -> {
              writer.onSuccess(wire -> wire.client().close());
              reader.onSuccess(wire -> wire.client().close());
              return Future.succeededFuture();
            });
    try {
      closed.toCompletionStage().toCompletableFuture().get(LONGEST_CLOSE_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the connections of {} are left", config.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
