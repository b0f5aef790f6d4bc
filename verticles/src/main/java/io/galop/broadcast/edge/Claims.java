package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenConfig;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What a token says, once its signature is known to be good; RFC 7519 4.1. */
final class Claims {
  private static final int MOST_TOPICS = 1000;
  private static final double LAST_SECOND = 253_402_300_799.0; // the year 9999

  private final TokenConfig config;
  private final int maxFilterBytes;

  Claims(TokenConfig config, int maxFilterBytes) {
    this.config = config;
    this.maxFilterBytes = maxFilterBytes;
  }

  Viewer read(JsonObject claims, String key, String digest) throws TokenRefused {
    if (!config.issuer().isEmpty() && !config.issuer().equals(claims.getValue("iss"))) {
      throw TokenRefused.invalid("the token's iss is another than this node asks for");
    }
    if (!config.audience().isEmpty() && !isFor(claims.getValue("aud"))) {
      throw TokenRefused.invalid("the token's aud is another than this node asks for");
    }
    long leewayMs = config.leewaySeconds() * 1000L;
    long expiresMs = timeMs(claims, "exp") + leewayMs;
    long notBeforeMs = claims.containsKey("nbf") ? timeMs(claims, "nbf") - leewayMs : 0;
    long issuedMs = issuedMs(claims);
    checkLife(issuedMs, expiresMs - leewayMs);
    return new Viewer(
        subject(claims),
        topics(claims),
        ViewClaim.read(claims),
        issuedMs,
        notBeforeMs,
        expiresMs,
        key,
        digest);
  }

  /** Who has been sent away is forgotten after that life. */
  private void checkLife(long issuedMs, long expiresMs) throws TokenRefused {
    long maxLifeMs = config.maxLifeSeconds() * 1000L;
    if (maxLifeMs > 0 && (issuedMs == Viewer.UNKNOWN || expiresMs - issuedMs > maxLifeMs)) {
      throw TokenRefused.invalid(
          "the token's exp must be at most %d s behind its iat".formatted(config.maxLifeSeconds()));
    }
  }

  private boolean isFor(Object audience) {
    return audience instanceof JsonArray several
        ? several.contains(config.audience())
        : config.audience().equals(audience);
  }

  private static String subject(JsonObject claims) throws TokenRefused {
    Object subject = claims.getValue("sub", "");
    if (subject instanceof String text) {
      return text;
    }
    throw TokenRefused.invalid("the token's sub must be a text");
  }

  /** Nobody had to write it as a time before subjects could be sent away. */
  private static long issuedMs(JsonObject claims) {
    try {
      return timeMs(claims, "iat");
    } catch (TokenRefused e) {
      return Viewer.UNKNOWN;
    }
  }

  private static long timeMs(JsonObject claims, String name) throws TokenRefused {
    double seconds = claims.getValue(name) instanceof Number n ? n.doubleValue() : Double.NaN;
    if (seconds >= 0 && seconds <= LAST_SECOND) {
      return (long) (seconds * 1000);
    }
    throw TokenRefused.invalid("the token's " + name + " must be a time in seconds since 1970 UTC");
  }

  private List<TopicFilter> topics(JsonObject claims) throws TokenRefused {
    Object topics = claims.getValue("topics", new JsonArray());
    if (!(topics instanceof JsonArray array) || array.size() > MOST_TOPICS) {
      throw TokenRefused.invalid(
          "the token's topics must be a list of at most " + MOST_TOPICS + " filters");
    }
    List<TopicFilter> filters = new ArrayList<>();
    for (Object topic : array) {
      filters.add(filter(String.valueOf(topic)));
    }
    return filters;
  }

  private TopicFilter filter(String text) throws TokenRefused {
    try {
      return TopicFilter.parse(text, maxFilterBytes);
    } catch (IllegalArgumentException e) {
      throw TokenRefused.invalid("the token's topics: " + e.getMessage());
    }
  }
}
