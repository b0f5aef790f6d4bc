package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Secret;
import io.galop.yaml.Share;
import io.galop.yaml.Shown;
import java.util.List;

/** Taking records in. */
public record IngestConfig(
    @Doc(
            "The token of publishers; empty: none is required, and every door may "
                + "listen on loopback only. Prefer tokenFile or the environment.")
        @Default("")
        @Secret
        String token,
    @Doc("A file whose first line is the token.") @Default("") String tokenFile,
    @Doc("Topic filters that accept records; empty: all topics.") @Default("[]")
        List<String> allowTopics,
    @Doc(
            "Unacknowledged bytes of records per node. Beyond, the http door "
                + "answers 429 and other doors stop reading.")
        @Share(part = 16, atMost = 33_554_432)
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxInFlightBytes,
    @Doc(
            "Share of one connection once all hold half of them; until then it "
                + "may hold more. Beyond, the http door answers 429, the tcp door stops "
                + "reading from it.")
        @Default("4194304")
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxConnectionBytes,
    @Doc(
            "Time in which a body, line or message must be complete, plus one "
                + "second per minReceiveBytesPerSecond received; else its connection "
                + "ends. This much silence ends it too.")
        @Default("30000")
        @Range(min = 100, max = 3_600_000)
        long receiveTimeoutMs,
    @Doc("Lowest rate of a large body.") @Default("4096") @Range(min = 1, max = 1_073_741_824)
        int minReceiveBytesPerSecond,
    @Doc("Most records per Batch to a shard's owner.")
        @Default("4096")
        @Range(min = 1, max = 65_536)
        int maxBatchRecords,
    @Doc("Most bytes per Batch to a shard's owner.")
        @Default("1048576")
        @Range(min = 1024, max = 67_108_864)
        int maxBatchBytes,
    @Doc("The limits of every record.") LimitsConfig limits,
    @Doc("Records over HTTP, on http.port.") HttpDoorConfig http,
    @Doc("Records over TCP, as NDJSON or Protobuf.") TcpDoorConfig tcp,
    @Doc("Records over MQTT.") MqttDoorConfig mqtt,
    @Doc("Records over the Vert.x TCP event-bus bridge; on loopback only.") BridgeConfig bridge,
    @Doc("Records from memory shared with other processes of this machine.") RingDoorConfig ring,
    @Doc("Records from other systems, which Galop polls.") PollDoorConfig poll,
    @Doc("A simulated race day.") SimulationConfig simulation) {
  public IngestConfig {
    allowTopics = List.copyOf(allowTopics);
    if (!token.isEmpty() && !tokenFile.isEmpty()) {
      throw new IllegalArgumentException("token must be empty where tokenFile is given");
    }
  }

  /** Without the token: a log may show any configuration. */
  @Override
  public String toString() {
    return Shown.of(this);
  }

  /** Whether publishers must show a token. */
  public boolean hasToken() {
    return !token.isEmpty() || !tokenFile.isEmpty();
  }
}
