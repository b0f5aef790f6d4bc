package io.galop.loadtest.scenario;

import io.galop.yaml.Words;

/** A way in, by its word in a scenario. */
public enum DoorWord {
  HTTP,
  TCP_NDJSON,
  TCP_PROTOBUF,
  MQTT,
  BRIDGE,
  /** Files in memory; only of nodes that are started, and on this machine. */
  RING;

  @Override
  public String toString() {
    return Words.of(this);
  }
}
