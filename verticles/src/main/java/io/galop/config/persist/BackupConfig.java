package io.galop.config.persist;

/** The backup tier: a store in the memory of another machine. */
public sealed interface BackupConfig permits RedisConfig {

  /** What the store is called in meters, in the status and in messages. */
  String name();

  /** How it is written. */
  SinkConfig sink();
}
