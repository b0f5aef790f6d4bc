package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.SockJsOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The entry point of {@code galop-sockjs-test.jar}, which stands beside {@code galop.jar}: protocol
 * suites test the SockJS endpoint with it. It is no part of the product.
 */
@Command(
    name = "galop-sockjs-test",
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

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new TestServerCommand());
    line.setExecutionExceptionHandler(TestServerCommand::failed);
    System.exit(line.execute(args));
  }

  private static int failed(Exception why, CommandLine line, ParseResult parsed) {
    line.getErr().println("galop-sockjs-test: " + why.getMessage());
    return 1;
  }

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
