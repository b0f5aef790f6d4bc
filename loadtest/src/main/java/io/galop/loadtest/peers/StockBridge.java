package io.galop.loadtest.peers;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.parsetools.RecordParser;
import io.vertx.ext.bridge.PermittedOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.sockjs.SockJSBridgeOptions;
import io.vertx.ext.web.handler.sockjs.SockJSHandler;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The peer: what Vert.x brings for the same work, with nothing of Galop. Lines that come over TCP
 * are published on the event bus, and the SockJS event-bus bridge carries them to browsers; one
 * HTTP server per processor, native transport, no acknowledgement, nothing stored.
 */
@Command(name = "stock-bridge", hidden = true, mixinStandardHelpOptions = true)
public final class StockBridge implements Callable<Integer> {
  private static final int NEVER = 0x7fff_ffff;

  @Option(names = "--http-port", required = true)
  private int httpPort;

  @Option(names = "--tcp-port", required = true)
  private int tcpPort;

  @Override
  public Integer call() throws InterruptedException {
    int loops = Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
    vertx.deployVerticle(() -> new Door(tcpPort), new DeploymentOptions()).await();
    vertx
        .deployVerticle(() -> new Browsers(httpPort), new DeploymentOptions().setInstances(loops))
        .await();
    new CountDownLatch(1).await();
    return 0;
  }

  /** Lines in. */
  private static final class Door extends VerticleBase {
    private final int port;

    private Door(int port) {
      this.port = port;
    }

    @Override
    public Future<?> start() {
      return vertx
          .createNetServer()
          .connectHandler(socket -> socket.handler(RecordParser.newDelimited("\n", this::onLine)))
          .listen(port, "127.0.0.1");
    }

    private void onLine(Buffer line) {
      JsonObject record = line.toJsonObject();
      vertx.eventBus().publish(record.getString("topic"), record.getJsonObject("data"));
    }
  }

  /** Browsers out. */
  private static final class Browsers extends VerticleBase {
    private final int port;

    private Browsers(int port) {
      this.port = port;
    }

    @Override
    public Future<?> start() {
      Router router = Router.router(vertx);
      router.get("/ready").handler(asked -> asked.response().end());
      SockJSBridgeOptions options =
          new SockJSBridgeOptions()
              .setPingTimeout(NEVER)
              .addOutboundPermitted(new PermittedOptions().setAddressRegex("load/.*"));
      router.route("/live/*").handler(BodyHandler.create(false));
      router.route("/live/*").subRouter(SockJSHandler.create(vertx).bridge(options));
      return vertx.createHttpServer().requestHandler(router).listen(port, "127.0.0.1");
    }
  }
}
