package io.galop.persist.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import io.galop.config.persist.MongoConfig;
import io.galop.store.MongoSettings;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** What both drivers are told. */
final class MongoClientOptions {
  private MongoClientOptions() {}

  /**
   * Settings for so many connections; blocks.
   *
   * @throws IOException if a file that is named cannot be used
   */
  static MongoClientSettings of(MongoConfig config, int connections) throws IOException {
    int timeoutMs = Math.toIntExact(config.sink().timeoutMs());
    return MongoSettings.of(config)
        .writeConcern(writeConcern(config))
        .retryWrites(false)
        .applyToConnectionPoolSettings(
            pool -> pool.maxSize(connections).maxWaitTime(timeoutMs, TimeUnit.MILLISECONDS))
        .applyToSocketSettings(
            socket ->
                socket
                    .connectTimeout(timeoutMs, TimeUnit.MILLISECONDS)
                    .readTimeout(timeoutMs, TimeUnit.MILLISECONDS))
        .applyToClusterSettings(
            cluster -> cluster.serverSelectionTimeout(timeoutMs, TimeUnit.MILLISECONDS))
        .applyToServerSettings(
            server -> server.heartbeatFrequency(Math.min(timeoutMs, 10_000), TimeUnit.MILLISECONDS))
        .build();
  }

  static WriteConcern writeConcern(MongoConfig config) {
    String members = config.writeConcern();
    WriteConcern concern =
        members.equals("majority")
            ? WriteConcern.MAJORITY
            : new WriteConcern(Integer.parseInt(members));
    return concern.withJournal(config.journal());
  }
}
