package io.galop.loadtest.scenario;

/** How records are sent: each has a time at which it is due, whether or not Galop keeps up. */
public record Injection(
    @Doc("The door.") @Default("tcp-ndjson") DoorWord door,
    @Doc("Connections, used in turn.") @Default("2") @Range(from = 1, to = 1_000) int connections,
    @Doc("Bytes of data per record.") @Default("290") @Range(from = 80, to = 60_000) int bytes,
    @Doc("Number of topics, used in turn: load/000000, load/000001 and so on.")
        @Default("1000")
        @Range(from = 1, to = 1_000_000)
        int topics,
    @Doc("Records due within this time are sent together.")
        @Default("1000")
        @Range(from = 0, to = 1_000_000)
        int groupUs) {

  public Injection withDoor(DoorWord other) {
    return new Injection(other, connections, bytes, topics, groupUs);
  }

  public Injection withTopics(int other) {
    return new Injection(door, connections, bytes, other, groupUs);
  }
}
