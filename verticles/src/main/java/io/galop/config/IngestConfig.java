package io.galop.config;

import java.util.List;

/** Taking records in. */
public record IngestConfig(
    @Doc(
            "The token that publishers must show; empty: none is asked for, and every door may"
                + " listen on loopback only. Better kept in tokenFile or the environment.")
        @Default("")
        @Secret
        String token,
    @Doc("A file whose first line is the token.") @Default("") String tokenFile,
    @Doc("Topic filters that records may be published to; empty: all topics.") @Default("[]")
        List<String> allowTopics,
    @Doc(
            "How many bytes of records a node holds that are not acknowledged yet. Beyond it the"
                + " http door answers 429 and the other doors stop reading.")
        @Default("33554432")
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxInFlightBytes,
    @Doc("The most records that go to a shard's owner at once.")
        @Default("4096")
        @Range(min = 1, max = 65_536)
        int maxBatchRecords,
    @Doc("The most bytes that go to a shard's owner at once.")
        @Default("1048576")
        @Range(min = 1024, max = 67_108_864)
        int maxBatchBytes,
    @Doc("The limits that every record has to keep.") LimitsConfig limits,
    @Doc("Records over HTTP, on http.port.") HttpDoorConfig http,
    @Doc("Records over TCP, as NDJSON or Protobuf.") TcpDoorConfig tcp,
    @Doc("Records over MQTT.") MqttDoorConfig mqtt,
    @Doc("Records over the Vert.x TCP event-bus bridge; on loopback only.") BridgeConfig bridge,
    @Doc("Records out of memory that is shared with other processes of this machine.")
        RingDoorConfig ring,
    @Doc("Records out of answers of other systems, which are asked again and again.")
        PollDoorConfig poll,
    @Doc("A made-up race day.") SimulationConfig simulation) {
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
