package io.galop.persist.simulation;

import java.util.Optional;

/** A machine with a disk, and the process on it while it runs. */
final class SimulatedNode {
  final String name;
  final SimulatedDisk disk;
  private final World world;
  private Optional<StoringProcess> process = Optional.empty();
  private int starts;

  SimulatedNode(World world, String name) {
    this.world = world;
    this.name = name;
    this.disk = new SimulatedDisk(world);
  }

  /** The process that runs. */
  Optional<StoringProcess> process() {
    return process;
  }

  void start() {
    if (process.isEmpty()) {
      StoringProcess next = new StoringProcess(world, this, name + "." + ++starts);
      process = Optional.of(next);
      next.start();
    }
  }

  /** The process ends without a word. */
  void crash(boolean keepsDisk) {
    process.ifPresent(
        ended -> {
          gone(ended);
          disk.crash();
        });
    if (!keepsDisk) {
      disk.lose();
    }
  }

  /** The process has ended in order. */
  void stopped() {
    process.ifPresent(
        ended -> {
          gone(ended);
          disk.crash();
        });
  }

  private void gone(StoringProcess ended) {
    world.oracle.onEnded(ended);
    ended.down();
    ended.close();
    process = Optional.empty();
    for (Endpoint other : world.all()) {
      boolean isNoticed = !world.network.isCut(ended, other) && world.random.nextInt(4) > 0;
      if (isNoticed) { // the connection is closed by the kernel
        other.heardMs.remove(ended);
      }
    }
  }
}
