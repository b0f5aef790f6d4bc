package io.galop.loadtest.latency;

/**
 * What is to be done.
 *
 * @param viewers how many browsers
 * @param ratePerSecond how many messages each of them is sent
 * @param seconds how long it is measured
 * @param warmUpSeconds how long it runs before
 * @param bytes of a message's data
 * @param topics over how many topics the messages go
 * @param pingSeconds how often a viewer pings; 0 never
 */
public record Load(
    int viewers,
    double ratePerSecond,
    int seconds,
    int warmUpSeconds,
    int bytes,
    int topics,
    int pingSeconds) {

  /** How many messages are measured. */
  public int messages() {
    return (int) Math.max(1, Math.round(ratePerSecond * seconds));
  }

  /** The topic of a message. */
  String topic(long number) {
    return "load/" + number % topics;
  }
}
