package io.galop.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A record as a client saw it, with a hash of its data that does not depend on how the client
 * writes numbers and orders fields.
 */
record Seen(String id, String topic, String hash) {
  static Seen of(JsonObject line) {
    return new Seen(
        line.getString("id"), line.getString("topic"), hash(line.getJsonObject("data")));
  }

  static String hash(JsonObject data) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(canonical(data).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String canonical(Object value) {
    if (value instanceof JsonObject object) {
      Map<String, String> fields = new TreeMap<>();
      object.forEach(field -> fields.put(field.getKey(), canonical(field.getValue())));
      return fields.toString();
    }
    if (value instanceof JsonArray array) {
      return array.stream().map(Seen::canonical).collect(Collectors.joining(",", "[", "]"));
    }
    return value instanceof Number number
        ? new BigDecimal(number.toString()).stripTrailingZeros().toPlainString()
        : value + "";
  }
}
