package io.galop.persist.redis;

import io.galop.persist.sink.Peer;
import io.galop.persist.store.StoreBatch;
import io.galop.servers.RedisServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code redis-cli --pipe} with the very commands that Galop sends. */
public final class RedisPipe implements Peer {
  private final RedisServer server;
  private Path file;

  public RedisPipe(RedisServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "redis-cli --pipe, the same commands";
  }

  @Override
  public void prepare(List<StoreBatch> parcels, Path directory, int inFlight) throws IOException {
    file = directory.resolve("commands.resp");
    RedisWrites writes = new RedisWrites(new RedisKeys("galop"));
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (StoreBatch parcel : parcels) {
        for (RedisCommand command : writes.of(parcel, 1_395_000_000_000L)) {
          write(out, command);
        }
      }
    }
  }

  private static void write(OutputStream out, RedisCommand command) throws IOException {
    out.write(("*" + (command.arguments().size() + 1) + "\r\n").getBytes(StandardCharsets.UTF_8));
    bulk(out, command.name().getBytes(StandardCharsets.UTF_8));
    for (byte[] argument : command.arguments()) {
      bulk(out, argument);
    }
  }

  private static void bulk(OutputStream out, byte[] argument) throws IOException {
    out.write(("$" + argument.length + "\r\n").getBytes(StandardCharsets.UTF_8));
    out.write(argument);
    out.write('\r');
    out.write('\n');
  }

  @Override
  public void run() throws Exception {
    String port = Integer.toString(server.port());
    Peer.program(List.of("redis-cli", "-p", port, "--pipe"), file).call();
  }
}
