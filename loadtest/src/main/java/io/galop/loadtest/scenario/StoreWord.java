package io.galop.loadtest.scenario;

import io.galop.yaml.Words;

/** A store that can be started, by its word in a scenario. */
public enum StoreWord {
  REDIS,
  MARIADB,
  POSTGRES,
  /** {@code mongod} where the machine has one. */
  MONGODB;

  @Override
  public String toString() {
    return Words.of(this);
  }
}
