package io.galop.loadtest.scenario;

/** How records are sent: each has a time at which it is due, whether or not Galop keeps up. */
public record Injection(
    @Doc("Through which door.") @Default("tcp-ndjson") DoorWord door,
    @Doc("Over how many connections, in turn.") @Default("2") @Range(from = 1, to = 1_000)
        int connections,
    @Doc("Bytes of a record's data.") @Default("290") @Range(from = 80, to = 60_000) int bytes,
    @Doc("Over how many topics, in turn: load/000000, load/000001 and so on.")
        @Default("1000")
        @Range(from = 1, to = 1_000_000)
        int topics,
    @Doc("What is due within so many microseconds is sent together.")
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
