package io.galop.loadtest.scenario;

import java.util.List;
import java.util.Map;

/** What {@code --start} starts, and stops when the run is over. */
public record StartPlan(
    @Doc("Nodes: the first has all roles, the others only broadcast.")
        @Default("1")
        @Range(from = 1, to = 16)
        int nodes,
    @Doc(
            "Local servers to start too; the configuration may use their ports as "
                + "`${redis.port}`, `${mariadb.port}`, `${mongodb.port}`.")
        @Default("[]")
        List<StoreWord> stores,
    @Doc("Galop's configuration; the load test adds ports and directory.") @Default("{}")
        Map<String, Object> config,
    @Doc("Flags of the nodes' JVMs.") @Default("[]") List<String> jvmFlags,
    @Doc("Files beside the configuration, such as a script: name and text.") @Default("{}")
        Map<String, Object> files) {

  public StartPlan withJvmFlags(List<String> flags) {
    return new StartPlan(nodes, stores, config, flags, files);
  }

  public StartPlan with(List<StoreWord> otherStores, Map<String, Object> otherConfig) {
    return new StartPlan(nodes, otherStores, otherConfig, jvmFlags, files);
  }
}
