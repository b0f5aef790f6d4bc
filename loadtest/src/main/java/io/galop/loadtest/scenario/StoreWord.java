package io.galop.loadtest.scenario;

/** A store that can be started, by its word in a scenario. */
public enum StoreWord {
  REDIS("redis"),
  MARIADB("mariadb"),
  /** {@code mongod} where the machine has one. */
  MONGODB("mongodb");

  private final String word;

  StoreWord(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
