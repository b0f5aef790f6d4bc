package io.galop.ops.drill;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Drills as they are answered. */
public final class DrillJson {
  private DrillJson() {}

  /** {@code {"node":…,"off":…,"everyMs":…,"drills":[…]}}, the last first. */
  public static JsonObject of(Drills drills, long everyMs) {
    JsonArray all = new JsonArray();
    for (Drills.Ended ended : drills.ended()) {
      JsonObject drill = json(ended);
      drills
          .inLedger(ended.verdict().number())
          .ifPresent(found -> drill.put("ledger", found.word()));
      all.add(drill);
    }
    JsonObject json = new JsonObject().put("node", drills.name()).put("everyMs", everyMs);
    if (!drills.off().isEmpty()) {
      json.put("off", drills.off());
    }
    return json.put("drills", all);
  }

  private static JsonObject json(Drills.Ended ended) {
    DrillVerdict verdict = ended.verdict();
    JsonArray viewers = new JsonArray();
    ended.transports().stream().sorted().forEach(transport -> viewers.add(transport.word()));
    JsonArray failures = new JsonArray();
    for (DrillVerdict.Failure failure : verdict.failures()) {
      failures.add(
          new JsonObject()
              .put("stage", failure.stage().word())
              .put("why", failure.why())
              .put("meaning", failure.stage().meaning()));
    }
    JsonArray relays = new JsonArray();
    verdict.relays().forEach(relay -> relays.add(relay.json()));
    return new JsonObject()
        .put("drill", verdict.number())
        .put("time", ended.at().toString())
        .put("tookMs", ended.tookMs())
        .put("door", ended.door())
        .put("viewers", viewers)
        .put("fault", verdict.fault().word())
        .put("detected", verdict.isDetected())
        .put("passed", verdict.isPassed())
        .put("relays", relays)
        .put("failures", failures);
  }
}
