package io.galop.loadtest.targets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts servers that speak TLS to browsers, all with a certificate of the same kind. */
public final class TlsLaunch {
  /** HAProxy, which makes a thread for each processor and finds out how many files it may open. */
  private static final String PROXY =
      """
      defaults
        mode http
        timeout connect 10s
        timeout client 1h
        timeout server 1h
        timeout tunnel 1h
      frontend browsers
        bind 127.0.0.1:%d ssl crt %s
        default_backend node
      backend node
        server node 127.0.0.1:%d
      """;

  private TlsLaunch() {}

  /** Galop that ends TLS itself. */
  public static Started galop(GalopLaunch galop) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    try {
      Certificate made = Certificate.make(dir);
      List<String> settings = new ArrayList<>(galop.settings());
      settings.add("http.tls.certificate=" + made.certificate());
      settings.add("http.tls.key=" + made.key());
      Started started =
          new GalopLaunch(galop.jar(), galop.java(), galop.jvmFlags(), settings, galop.nodes())
              .start();
      Target target = started.target();
      return started.with(
          target.secured(target.browsers(), List.of()), List.of(), () -> Leavings.delete(dir));
    } catch (IOException | InterruptedException e) {
      Leavings.delete(dir);
      throw e;
    }
  }

  /** A node of Galop in clear text behind HAProxy; the cost is that of both. */
  public static Started behindProxy(GalopLaunch galop) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    Started started = galop.withNodes(1).start();
    Started both = started;
    try {
      Path certificate = Certificate.make(dir).together(dir.resolve("both.pem"));
      int port = Launch.freePorts(1)[0];
      Path config = dir.resolve("haproxy.cfg");
      int node = started.target().http().getPort();
      Files.writeString(config, PROXY.formatted(port, certificate, node));
      Path log = dir.resolve("log");
      Process proxy = Launch.run(List.of("haproxy", "-db", "-f", config.toString()), log);
      InetSocketAddress address = Launch.loopback(port);
      both =
          started.with(
              started.target().secured(List.of(address), List.of(proxy.pid())),
              List.of(proxy),
              () -> Leavings.delete(dir));
      Launch.awaitListening(proxy, address, log);
      return both;
    } catch (IOException | InterruptedException e) {
      both.close();
      Leavings.delete(dir);
      throw e;
    }
  }
}
