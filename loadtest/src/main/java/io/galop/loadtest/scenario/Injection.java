package io.galop.loadtest.scenario;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** How records are sent: each has a time at which it is due, whether or not Galop keeps up. */
public record Injection(
    @Doc("The door.") @Default("tcp-ndjson") DoorWord door,
    @Doc("Connections, used in turn.") @Default("2") @Range(min = 1, max = 1_000) int connections,
    @Doc("Bytes of data per record.") @Default("290") @Range(min = 80, max = 60_000) int bytes,
    @Doc("Topics, used in turn.") @Default("1000") @Range(min = 1, max = 1_000_000) int topics,
    @Doc("Records due within it are sent together.")
        @Default("1000")
        @Range(min = 0, max = 1_000_000)
        int groupUs) {

  public Injection withDoor(DoorWord other) {
    return new Injection(other, connections, bytes, topics, groupUs);
  }

  public Injection withTopics(int other) {
    return new Injection(door, connections, bytes, other, groupUs);
  }
}
