package io.galop.ingest.simulation;

/** Where the simulation puts what it makes up. */
public interface Output {
  /**
   * Takes a record.
   *
   * @param data a JSON object
   */
  void add(String topic, long timeUs, String data);
}
