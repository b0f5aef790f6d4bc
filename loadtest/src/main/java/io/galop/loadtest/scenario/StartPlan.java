package io.galop.loadtest.scenario;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;
import java.util.Map;

/** What {@code --start} starts, and stops when the run is over. */
public record StartPlan(
    @Doc("Nodes; the first has all roles, the others only broadcast.")
        @Default("1")
        @Range(min = 1, max = 16)
        int nodes,
    @Doc(
            "Local servers to start too; the configuration may use `${redis.port}`, "
                + "`${mariadb.port}`, `${postgres.port}`, `${mongodb.port}`.")
        List<StoreWord> stores,
    @Doc("Galop's configuration, without ports and directory.") Map<String, Object> config,
    @Doc("Flags of the nodes' JVMs.") List<String> jvmFlags,
    @Doc("Files beside the configuration: name and text.") Map<String, String> files) {

  public StartPlan withJvmFlags(List<String> flags) {
    return new StartPlan(nodes, stores, config, flags, files);
  }

  public StartPlan with(List<StoreWord> otherStores, Map<String, Object> otherConfig) {
    return new StartPlan(nodes, otherStores, otherConfig, jvmFlags, files);
  }
}
