package io.galop.config.persist;

/** A store of the cold tier beside the embedded one. */
public sealed interface StoreConfig
    permits MysqlConfig,
        PostgresConfig,
        MongoConfig,
        CassandraConfig,
        KafkaConfig,
        ArchiveConfig,
        S3Config {

  /** What the store is called in meters, in the status and in messages. */
  String name();

  /** How it is written. */
  SinkConfig sink();

  /** Which records it keeps. */
  SamplingConfig sampling();

  /** How long it keeps them, in hours since they were stored; 0 for ever. */
  int retentionHours();

  /** Checks the name of a store. */
  static void checkName(String name) {
    if (!name.matches("[a-z][a-z0-9-]{0,31}")) {
      throw new IllegalArgumentException(
          "name must be up to 32 small letters, digits and '-', not '" + name + "'");
    }
  }
}
