package io.galop.servers;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ends TLS in front of a server that does none, with a certificate for {@code localhost}. */
public final class TlsFront implements AutoCloseable {
  private static final String REQUEST =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
          + " subjectAltName=DNS:localhost";
  private static final int SECONDS = 60;
  private final Vertx vertx = Vertx.vertx();
  private final Path certificate;
  private final NetServer listener;

  /** Listens on a free port and passes on to another of this machine. */
  public TlsFront(Path directory, int serverPort) throws Exception {
    certificate = certify(directory, "front");
    NetClient client = vertx.createNetClient();
    PemKeyCertOptions identity =
        new PemKeyCertOptions()
            .setCertPath(certificate.toString())
            .setKeyPath(directory.resolve("front.key").toString());
    listener =
        vertx
            .createNetServer(new NetServerOptions().setSsl(true).setKeyCertOptions(identity))
            .connectHandler(socket -> forward(client, serverPort, socket));
    listener
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(SECONDS, TimeUnit.SECONDS);
  }

  /** Makes NAME.crt, which signs itself, and NAME.key; the certificate's file. */
  public static Path certify(Path directory, String name) throws IOException {
    Path certificate = directory.resolve(name + ".crt");
    Path key = directory.resolve(name + ".key");
    String files = " -out %s -keyout %s".formatted(certificate, key);
    Child.run(
        List.of((REQUEST + files).split(" ")), directory.resolve(name + ".openssl.txt"), SECONDS);
    return certificate;
  }

  private static void forward(NetClient client, int port, NetSocket from) {
    from.pause();
    client
        .connect(port, "127.0.0.1")
        .onFailure(refused -> from.close())
        .onSuccess(
            to -> {
              from.pipeTo(to);
              to.pipeTo(from);
            });
  }

  public int port() {
    return listener.actualPort();
  }

  /** The file that clients have to trust. */
  public Path certificate() {
    return certificate;
  }

  @Override
  public void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
  }
}
