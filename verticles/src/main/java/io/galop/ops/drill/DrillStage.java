package io.galop.ops.drill;

import java.util.Locale;

/** Where a record of a drill has to arrive; the order is that of its way. */
public enum DrillStage {
  /** A door took and acknowledged it. */
  DOOR("publishers may not get through"),
  /** The steps of the chain that take its topic, if any, pass it on. */
  ENRICH("records that steps take may be dead letters, and shown to nobody"),
  /** A raw websocket is shown it. */
  WEBSOCKET("viewers with a websocket may see nothing new"),
  /** SockJS's long polling is shown it. */
  XHR("viewers that can only long-poll may see nothing new"),
  /** An event stream is shown it. */
  EVENTS("viewers of /stream may see nothing new"),
  /** A subscriber with MQTT is sent it. */
  MQTT("viewers with MQTT may see nothing new"),
  /** The viewers of a relay's own are shown it. */
  RELAY("viewers of the relay may see nothing new"),
  /** The owner of the shard places it once. */
  OWNER("a record that is sent again may be stored twice, and shown twice after a resume"),
  /** The Log has it on disk. */
  LOG("what was acknowledged may be lost with the node"),
  /** Each store holds it. */
  STORES("the past may lack records; the live feed is not affected"),
  /** The Ledger counts what was refused. */
  LEDGER("the Ledger may balance while records are lost"),
  /** A planted fault is found. */
  WATCH("such a fault would be seen by nobody");

  private final String meaning;

  DrillStage(String meaning) {
    this.meaning = meaning;
  }

  /** The word in reports and meters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it means for people that a record does not arrive. */
  String meaning() {
    return meaning;
  }
}
