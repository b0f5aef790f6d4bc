package io.galop.persist.redis;

import io.galop.persist.sink.Peer;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code redis-benchmark} with pipelining and Galop's three commands for so many records each. It
 * knows one command at a time, so they come one after the other and their times are added.
 */
public final class RedisBenchmark implements Peer {
  private static final int RECORDS = 50;
  private static final String ANY = "__rand_int__";

  private final RedisServer server;
  private final List<List<String>> commands = new ArrayList<>();
  private Path nothing;

  public RedisBenchmark(RedisServer server) {
    this.server = server;
  }

  @Override
  public String name() {
    return "redis-benchmark -P 16, the same three commands one after the other";
  }

  @Override
  public void prepare(List<StoreBatch> parcels, Path directory, int inFlight) throws Exception {
    nothing = Files.createFile(directory.resolve("nothing"));
    int records = parcels.stream().mapToInt(parcel -> parcel.records().size()).sum();
    Placed one = parcels.get(0).records().get(0);
    List<String> hash = command("HSET", "records", records, inFlight);
    List<String> stored = command("ZADD", "stored", records, inFlight);
    stored.add("NX");
    List<String> time = command("ZADD", "time", records, inFlight);
    for (int i = 0; i < RECORDS; i++) {
      hash.addAll(List.of("id-" + ANY, new String(RedisValue.of(one), StandardCharsets.UTF_8)));
      stored.addAll(List.of("1395000000000", "id-" + ANY));
      time.addAll(List.of("1395" + ANY, "id-" + ANY));
    }
    commands.addAll(List.of(hash, stored, time));
  }

  private List<String> command(String name, String key, int records, int inFlight) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("redis-benchmark", "-p", Integer.toString(server.port()), "-q"));
    command.addAll(List.of("-n", Integer.toString(records / RECORDS), "-P", "16"));
    command.addAll(List.of("-c", Integer.toString(inFlight), "-r", "1000000000"));
    command.addAll(List.of(name, "galop:shard:1:" + key));
    return command;
  }

  @Override
  public void run() throws Exception {
    for (List<String> command : commands) {
      Peer.program(command, nothing).call();
    }
  }
}
