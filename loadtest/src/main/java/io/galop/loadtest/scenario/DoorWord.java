package io.galop.loadtest.scenario;

/** A way in, by its word in a scenario. */
public enum DoorWord {
  HTTP("http"),
  TCP_NDJSON("tcp-ndjson"),
  TCP_PROTOBUF("tcp-protobuf"),
  MQTT("mqtt"),
  BRIDGE("bridge"),
  /** Files in memory; only of nodes that are started, and on this machine. */
  RING("ring");

  private final String word;

  DoorWord(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
