package io.galop.config;

import io.galop.config.alarm.AlarmsConfig;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.config.enrich.EnrichConfig;
import io.galop.config.ingest.IngestConfig;
import io.galop.config.persist.PersistConfig;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import java.util.List;

/** Everything that can be configured; the components are the sections of the YAML file. */
public record GalopConfig(
    @Doc("The node's name and its roles.") NodeConfig node,
    @Doc("How nodes find each other; without members the node is alone.") ClusterConfig cluster,
    @Doc("The port for browsers and the http door.") HttpConfig http,
    @Doc("The port for operators: health, metrics.") ManagementConfig management,
    @Doc("Accepting records.") IngestConfig ingest,
    @Doc("What happens to a record before it is stored and shown.") EnrichConfig enrich,
    @Doc("The Log, the RAM tier and the stores.") PersistConfig persist,
    @Doc("Showing records to browsers.") BroadcastConfig broadcast,
    @Doc("Conditions on topics that somebody has to look at; see [alarms](alarms.md).")
        AlarmsConfig alarms,
    @Doc(
            "Records that the node sends the whole way to see that they arrive; see "
                + "[drills](watch.md#drills).")
        DrillsConfig drills,
    @Doc(
            "How full the node says it is, calibrated by a load test; see "
                + "[headroom](watch.md#headroom).")
        HeadroomConfig headroom,
    @Doc(
            "The relays that this node brings the feed to, across a border that lets no"
                + " connection in; a relay those [behind it](nodes.md#relays-behind-relays). See"
                + " [relays](nodes.md#two-zones).")
        @Default("[]")
        List<RelayConfig> relays,
    @Doc("What the log says.") LoggingConfig logging,
    @Doc("Where spans of sampled traces go, over OTLP; see [traces](watch.md#traces).")
        TelemetryConfig telemetry,
    @Doc("Your own programs in the node, in this order; see " + "[verticles](verticles.md).")
        List<VerticleConfig> verticles) {
  public GalopConfig {
    relays = relays == null ? List.of() : List.copyOf(relays);
    verticles = verticles == null ? List.of() : List.copyOf(verticles);
  }

  /** Whether this node runs a role. */
  public boolean runs(Role role) {
    return node.roles().contains(role);
  }

  /** Whether it has its feed over links, and sends it on to relays that it dials. */
  public boolean feedsRelaysAsRelay() {
    return broadcast.link().isGiven() && !relays.isEmpty();
  }

  /** The roles of this node. */
  public List<Role> roles() {
    return node.roles();
  }
}
