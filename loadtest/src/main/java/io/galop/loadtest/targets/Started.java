package io.galop.loadtest.targets;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that the load test has started and will stop; it may be several processes. */
public final class Started implements AutoCloseable {
  private static final long STOP_SECONDS = 20;
  private final Target target;
  private final List<Process> processes;
  private final List<Integer> managementPorts;
  private final Runnable cleanUp;

  Started(Target target, List<Process> processes, List<Integer> managementPorts, Runnable cleanUp) {
    this.target = target;
    this.processes = processes;
    this.managementPorts = managementPorts;
    this.cleanUp = cleanUp;
  }

  /** The same with another target, and what was started for that, which ends first. */
  Started with(Target other, List<Process> more, Runnable alsoCleanUp) {
    List<Process> all = new ArrayList<>(more);
    all.addAll(processes);
    return new Started(
        other,
        all,
        managementPorts,
        () -> {
          cleanUp.run();
          alsoCleanUp.run();
        });
  }

  public Target target() {
    return target;
  }

  /** Where each node of Galop tells its health; peers have none. */
  List<Integer> managementPorts() {
    return managementPorts;
  }

  /** The same as addresses. */
  public List<InetSocketAddress> management() {
    return managementPorts.stream().map(Launch::loopback).toList();
  }

  @Override
  public void close() throws InterruptedException {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    cleanUp.run();
  }
}
