package io.galop.loadtest.targets;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Certificates of links between storing nodes and relays, as {@code galop certificates} makes them.
 *
 * @param directory where they are
 */
public record RelayKeys(Path directory) {
  /**
   * Makes them.
   *
   * @param hosts where relays are dialled, beside localhost
   */
  public void make(Path java, Path jar, List<String> hosts)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java.toString(), "-jar"));
    command.addAll(List.of(jar.toAbsolutePath().toString(), "certificates", directory.toString()));
    hosts.forEach(host -> command.addAll(List.of("--host", host)));
    Path log = Files.createTempFile(directory.toAbsolutePath().getParent(), "certificates", ".log");
    if (Launch.run(command, log).waitFor() != 0) {
      throw new IOException("galop certificates failed:\n" + Files.readString(log));
    }
  }

  /** {@code broadcast.link.tls} of a relay. */
  public JsonObject ofRelay() {
    return pair("server").put("clientCa", file("ca.crt"));
  }

  /** {@code relays[].tls} of a node that dials it. */
  public JsonObject ofNode() {
    return pair("client").put("ca", file("ca.crt"));
  }

  private JsonObject pair(String name) {
    return new JsonObject().put("certificate", file(name + ".crt")).put("key", file(name + ".key"));
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }
}
