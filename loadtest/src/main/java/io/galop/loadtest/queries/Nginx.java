package io.galop.loadtest.queries;

import io.galop.loadtest.targets.Launch;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * nginx with a configuration of its own, that serves an answer as a file as fast as it can: a
 * process per processor, {@code sendfile}, no log, the file kept open.
 */
final class Nginx {
  static final String FILE = "/answer.json";

  private static final String CONFIGURATION =
      """
      daemon off;
      %1$s
      worker_processes auto;
      pid %2$s/pid;
      error_log %2$s/error.log;
      events { worker_connections 4096; }
      http {
        access_log off;
        sendfile on;
        tcp_nopush on;
        open_file_cache max=10;
        keepalive_requests 1000000;
        default_type application/json;
        client_body_temp_path %2$s/body;
        proxy_temp_path %2$s/proxy;
        fastcgi_temp_path %2$s/fastcgi;
        uwsgi_temp_path %2$s/uwsgi;
        scgi_temp_path %2$s/scgi;
        server {
          listen 127.0.0.1:%3$d;
          root %2$s/www;
        }
      }
      """;

  private Nginx() {}

  /** Starts it on a free port. */
  static StoreProcess serve(byte[] answer) throws IOException, InterruptedException {
    Path dir = Leavings.directory();
    Files.write(Files.createDirectory(dir.resolve("www")).resolve(FILE.substring(1)), answer);
    int port = Launch.freePorts(1)[0];
    Path configuration = dir.resolve("nginx.conf");
    // Its workers would be another user who may not look into the directory.
    String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
    Files.writeString(
        configuration, CONFIGURATION.formatted(user, dir, port), StandardCharsets.US_ASCII);
    String program = Files.isExecutable(Path.of("/usr/sbin/nginx")) ? "/usr/sbin/nginx" : "nginx";
    return new StoreProcess(
        List.of(program, "-p", dir.toString(), "-c", configuration.toString()), dir, port);
  }
}
