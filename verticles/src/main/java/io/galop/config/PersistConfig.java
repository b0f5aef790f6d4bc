package io.galop.config;

/** The Log, the RAM tier and the stores. */
public record PersistConfig(
    @Doc("When a record counts as acknowledged.") @Default("disk") Ack ack,
    @Doc("The journal that makes a record durable.") LogConfig log,
    @Doc("The embedded store.") ColdConfig cold) {

  /** When a record counts as acknowledged. */
  public enum Ack {
    /** After the owner's Log has it on disk. */
    DISK,
    /** As soon as the owner's RAM tier has it: lost with the owner's process. */
    MEMORY
  }
}
