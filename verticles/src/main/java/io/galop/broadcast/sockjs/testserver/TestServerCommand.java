package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.SockJsOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code galop sockjs-test-server}: for whoever tests the endpoint's SockJS with a suite. */
@Command(
    name = "sockjs-test-server",
    hidden = true,
    mixinStandardHelpOptions = true,
    description =
        "Serves the services that test suites of the SockJS protocol expect, on loopback.")
public final class TestServerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8081",
      description = "The port; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    int actual =
        new TestServer(vertx, SockJsOptions.DISCONNECT_DELAY_MS)
            .listen(port)
            .recover(this::refused)
            .await();
    spec.commandLine().getOut().printf("listening http 127.0.0.1:%d%n", actual);
    spec.commandLine().getOut().flush();
    new CountDownLatch(1).await();
    return 0;
  }

  private Future<Integer> refused(Throwable why) {
    String message = "127.0.0.1:%d: %s; --port takes another".formatted(port, why.getMessage());
    return Future.failedFuture(new BindException(message));
  }
}
