package io.galop.ingest.poll;

/**
 * What an answer says of a topic.
 *
 * @param data a JSON object
 * @param hash of its content, whatever the order of its fields
 */
public record PollItem(String topic, byte[] data, ContentHash hash) {
  private static final byte[] GONE = JsonTree.write(java.util.Map.of("gone", true));

  /** What is said of a topic that is in the answer no more. */
  public static PollItem gone(String topic) {
    return new PollItem(topic, GONE, ContentHash.GONE);
  }
}
