package io.galop.persist.redis;

import io.galop.persist.sink.Parcel;
import io.galop.persist.sink.Peer;
import io.galop.record.Placed;
import io.galop.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code redis-benchmark} with pipelining and the first of Galop's three commands, HSET of so many
 * records; it knows one command at a time, so the two indexes are not in it.
 */
public final class RedisBenchmark implements Peer {
  private static final int FIELDS = 50;

  private final RedisServer server;
  private final List<String> command = new ArrayList<>();
  private Path nothing;

  public RedisBenchmark(RedisServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "redis-benchmark -P 16, HSET of " + FIELDS + " records, without the indexes";
  }

  @Override
  public void prepare(List<Parcel> parcels, Path directory, int inFlight) throws Exception {
    nothing = Files.createFile(directory.resolve("nothing"));
    int records = parcels.stream().mapToInt(parcel -> parcel.records().size()).sum();
    Placed one = parcels.get(0).records().get(0);
    command.addAll(List.of("redis-benchmark", "-p", Integer.toString(server.port()), "-q"));
    command.addAll(List.of("-n", Integer.toString(records / FIELDS), "-P", "16"));
    command.addAll(List.of("-c", Integer.toString(inFlight), "-r", "1000000000"));
    command.addAll(List.of("HSET", "galop:shard:__rand_int__:records"));
    for (int i = 0; i < FIELDS; i++) {
      command.add("id-__rand_int__");
      command.add(new String(RedisValue.of(one), StandardCharsets.UTF_8));
    }
  }

  @Override
  public void run() throws Exception {
    Peer.program(command, nothing).call();
  }
}
