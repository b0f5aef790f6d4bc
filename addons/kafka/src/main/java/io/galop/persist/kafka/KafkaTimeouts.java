package io.galop.persist.kafka;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How long clients of Kafka wait: less than the sink, so that they say why before it gives them up.
 */
final class KafkaTimeouts {
  private static final long LEAST_MS = 200;
  private static final long LEAST_TRANSACTION_MS = 10_000;

  private KafkaTimeouts() {}

  /** Of one call, where the sink waits so long. */
  static long ofCall(long sinkTimeoutMs) {
    return Math.max(LEAST_MS, sinkTimeoutMs / 3);
  }

  static Map<String, Object> ofAdmin(long callMs) {
    return Map.of(
        CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG,
        (int) callMs,
        CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG,
        (int) callMs / 2);
  }

  /** The usual properties of a producer of a Log's records. */
  static Map<String, Object> ofProducer(long callMs) {
    Map<String, Object> all = new HashMap<>();
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, callMs);
    all.put(ProducerConfig.LINGER_MS_CONFIG, 1);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) callMs / 2);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) callMs);
    all.put(
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
        (int) Math.max(LEAST_TRANSACTION_MS, 3 * callMs));
    return all;
  }

  /** What every transaction stands on. */
  static Map<String, Object> fixed(String name, long log) {
    return Map.of(
        ProducerConfig.ACKS_CONFIG,
        "all",
        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
        true,
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        String.format(Locale.ROOT, "galop-%s-%016x", name, log));
  }
}
