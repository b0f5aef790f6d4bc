package io.galop.fuzz;

import io.galop.broadcast.LiveTarget;
import io.galop.broadcast.edge.TokenTarget;
import io.galop.cli.replay.RecordLinesTarget;
import io.galop.config.YamlTarget;
import io.galop.ingest.DoorTarget;
import io.galop.ingest.mqtt.PayloadTarget;
import io.galop.ingest.parse.ParserTargets;
import io.galop.ingest.tcp.WireTargets;
import io.galop.record.NamesTarget;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** All that is fuzzed, by name. */
public final class Targets {
  /** Their order is that of the bytes that choose one where all are fuzzed at once. */
  public static final Map<String, Callable<Target>> ALL = all();

  private Targets() {}

  private static Map<String, Callable<Target>> all() {
    Map<String, Callable<Target>> all = new LinkedHashMap<>();
    all.put("json", ParserTargets::json);
    all.put("lines", WireTargets::lines);
    all.put("protobuf", WireTargets::protobuf);
    all.put("payload", PayloadTarget::payload);
    all.put("names", NamesTarget::new);
    all.put("yaml", YamlTarget::new);
    all.put("token", TokenTarget::new);
    all.put("replay", RecordLinesTarget::new);
    all.put("http", DoorTarget.Http::new);
    all.put("tcp", DoorTarget.Tcp::new);
    all.put("mqtt", DoorTarget.Mqtt::new);
    all.put("live", LiveTarget::new);
    return Collections.unmodifiableMap(all);
  }

  /** Starts one. */
  public static Target open(String name) throws Exception {
    Callable<Target> target = ALL.get(name);
    if (target == null) {
      throw new IllegalArgumentException("no target '" + name + "'; there are " + ALL.keySet());
    }
    return target.call();
  }
}
