package io.galop.config;

/** The Log, the RAM tier and the stores. */
public record PersistConfig(
    @Doc("When a record counts as acknowledged.") @Default("disk") Ack ack) {

  /** When a record counts as acknowledged. */
  public enum Ack {
    /** After the owner's Log has it on disk. */
    DISK,
    /** As soon as the owner's RAM tier has it: lost with the owner's process. */
    MEMORY
  }
}
