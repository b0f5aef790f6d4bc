package io.galop.ingest;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.function.IntFunction;

/**
 * The port that all event loops of a node listen on together. Where it is configured as 0, the
 * first takes a free one and the others wait to hear which.
 */
final class SharedPort {
  private record Taken(Promise<Integer> port) implements Shareable {}

  private SharedPort() {}

  /**
   * Listens, and says on which port.
   *
   * @param listen listens on a port and says which it got
   */
  static Future<Integer> listen(
      Vertx vertx, String door, int port, IntFunction<Future<Integer>> listen) {
    String key = "ingest." + door;
    Future<Integer> listening = port != 0 ? listen.apply(port) : listenOnFree(vertx, door, listen);
    return listening.recover(
        failure ->
            Future.failedFuture(
                new IllegalStateException(
                    key
                        + ": cannot listen on port "
                        + port
                        + ": "
                        + failure.getMessage()
                        + "; set "
                        + key
                        + ".host and "
                        + key
                        + ".port to a free one, or "
                        + key
                        + ".enabled=false",
                    failure)));
  }

  private static Future<Integer> listenOnFree(
      Vertx vertx, String door, IntFunction<Future<Integer>> listen) {
    LocalMap<String, Taken> ports = vertx.sharedData().getLocalMap("galop.ingest.ports");
    Taken mine = new Taken(Promise.promise());
    Taken first = ports.putIfAbsent(door, mine);
    return first == null
        ? listen.apply(0).onComplete(mine.port())
        : first.port().future().compose(listen::apply);
  }
}
