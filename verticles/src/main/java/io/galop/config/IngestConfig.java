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
        @Share(part = 16, atMost = 33_554_432)
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxInFlightBytes,
    @Doc(
            "How many of those bytes one connection may hold once all hold half of them; until then"
                + " it may hold more. Beyond it the http door answers it 429, the tcp door stops"
                + " reading from it.")
        @Default("4194304")
        @Range(min = 65_536, max = 68_719_476_736L)
        long maxConnectionBytes,
    @Doc(
            "A body, a line or a message that has begun must be whole within so long, in"
                + " milliseconds, and one second more for each minReceiveBytesPerSecond of it that"
                + " came; else its connection is ended. So it is when nothing of it came for so"
                + " long.")
        @Default("30000")
        @Range(min = 100, max = 3_600_000)
        long receiveTimeoutMs,
    @Doc("How fast a large body must come at least, in bytes a second.")
        @Default("4096")
        @Range(min = 1, max = 1_073_741_824)
        int minReceiveBytesPerSecond,
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
