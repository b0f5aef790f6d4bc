package io.galop.loadtest.scenario;

/** A way in, by its word in a scenario. */
public enum DoorWord {
  HTTP("http"),
  TCP_NDJSON("tcp-ndjson"),
  TCP_PROTOBUF("tcp-protobuf"),
  MQTT("mqtt"),
  BRIDGE("bridge");

  private final String word;

  DoorWord(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
