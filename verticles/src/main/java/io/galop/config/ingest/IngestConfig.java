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
            "The publishers' token; empty: none, and doors may only listen on "
                + "loopback. Prefer tokenFile or the environment.")
        @Default("")
        @Secret
        String token,
    @Doc("A file whose first line is the token.") @Default("") String tokenFile,
    @Doc(
            "Those who may publish, each recognised, limited and counted by itself; with "
                + "token, that one is the publisher default beside them.")
        List<PublisherConfig> publishers,
    @Doc(
            "A YAML file with the key publishers and such a list, instead; it and token "
                + "files are taken without a restart.")
        @Default("")
        String publishersFile,
    @Doc("Filters of topics that accept records; empty: all.") @Default("[]")
        List<String> allowTopics,
    @Doc(
            "Unacknowledged bytes per node; beyond, the http door answers 429 and "
                + "others stop reading.")
        @Share(part = 16, atMost = 33_554_432)
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxInFlightBytes,
    @Doc(
            "Share of one connection once all hold half of them; beyond, the http "
                + "door answers 429, the tcp door stops reading.")
        @Default("4194304")
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxConnectionBytes,
    @Doc(
            "Time limit of a body, line or message, plus one second per "
                + "minReceiveBytesPerSecond received. Its connection ends after that, or "
                + "after as much silence.")
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
    @Doc("Records over the Vert.x TCP event-bus bridge, on loopback only.") BridgeConfig bridge,
    @Doc("Records from memory shared with other processes.") RingDoorConfig ring,
    @Doc("Records from polled systems.") PollDoorConfig poll,
    @Doc("Records from topics of Kafka.") KafkaDoorConfig kafka,
    @Doc("Records of how many viewers there are; see [presence](doors.md#presence).")
        PresenceConfig presence,
    @Doc("A simulated race day.") SimulationConfig simulation) {
  public IngestConfig {
    publishers = List.copyOf(publishers);
    allowTopics = List.copyOf(allowTopics);
    if (!publishers.isEmpty() && !publishersFile.isEmpty()) {
      throw new IllegalArgumentException("publishers must be empty where publishersFile is given");
    }
    if (!token.isEmpty() && !tokenFile.isEmpty()) {
      throw new IllegalArgumentException("token must be empty where tokenFile is given");
    }
  }

  /** Without the token: a log may show any configuration. */
  @Override
  public String toString() {
    return Shown.of(this);
  }

  /** Whether nobody can publish who is not recognised. */
  public boolean asksWhoPublishes() {
    return hasToken() || !publishers.isEmpty() || !publishersFile.isEmpty();
  }

  /** Whether there is a token that all may share. */
  public boolean hasToken() {
    return !token.isEmpty() || !tokenFile.isEmpty();
  }
}
