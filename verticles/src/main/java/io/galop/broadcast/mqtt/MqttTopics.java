package io.galop.broadcast.mqtt;

import io.galop.record.TopicFilter;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttProperty;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperties;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import io.netty.handler.codec.mqtt.MqttSubscriptionOption;
import io.netty.handler.codec.mqtt.MqttSubscriptionOption.RetainedHandlingPolicy;
import io.netty.handler.codec.mqtt.MqttTopicSubscription;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The subscriptions of one connection. On its event loop. */
final class MqttTopics {
  private static final String SHARED = "$share/";
  private static final int NOT_THERE = 0x11;
  private static final int MOST_WORDS = 16;

  /** Longest filter of Galop's own topics. */
  private static final int WORD_BYTES = 64;

  /** User properties of a SUBSCRIBE that are headers of the registration. */
  private static final Set<String> HEADERS =
      Set.of("since", "mode", "maxRate", "maxBytesPerSecond");

  /**
   * What a SUBSCRIBE is answered.
   *
   * @param codes by filter
   * @param sentence why the last of those that were refused was; empty if none was
   * @param effects what is to be done once that is said
   */
  record Granted(byte[] codes, String sentence, List<Runnable> effects) {}

  private final MqttSeat seat;
  private final ViewerSession session;

  MqttTopics(MqttSeat seat, ViewerSession session) {
    this.seat = seat;
    this.session = session;
  }

  /**
   * Goes on where the session was left.
   *
   * @throws MqttRefused if it cannot be all of it, for example because the token allows less now:
   *     the client does not subscribe again, so it must not believe that its session is there
   */
  void resume() throws MqttRefused {
    for (Map.Entry<String, MqttSubscription> each : session.subscriptions().entrySet()) {
      resume(each.getKey(), each.getValue());
    }
  }

  private void resume(String filter, MqttSubscription subscription) throws MqttRefused {
    JsonObject headers = new JsonObject().put("words", "true");
    subscription.wishes().forEach(headers::put);
    subscription
        .since()
        .ifPresentOrElse(
            since -> headers.put("since", since), () -> headers.put("snapshot", "true"));
    if (!headers.containsKey("since")) {
      subscription.resumed(false);
    }
    seat.register(filter, headers);
  }

  Granted subscribe(MqttSubscribeMessage message, boolean isFive) {
    List<MqttTopicSubscription> wanted = message.payload().topicSubscriptions();
    MqttProperties properties = message.idAndPropertiesVariableHeader().properties();
    byte[] codes = new byte[wanted.size()];
    String sentence = "";
    List<Runnable> effects = new ArrayList<>();
    for (int i = 0; i < codes.length; i++) {
      try {
        codes[i] = (byte) subscribe(wanted.get(i), properties, isFive, effects);
      } catch (MqttRefused refused) {
        codes[i] = (byte) refused.code();
        sentence = String.valueOf(refused.getMessage());
      }
    }
    return new Granted(codes, sentence, effects);
  }

  private int subscribe(
      MqttTopicSubscription wanted,
      MqttProperties properties,
      boolean isFive,
      List<Runnable> effects)
      throws MqttRefused {
    String filter = wanted.topicFilter();
    MqttSubscriptionOption option = wanted.option();
    int qos = Math.min(1, option.qos().value());
    var options =
        new MqttSubscription.Options(qos, isFive && option.isRetainAsPublished(), id(properties));
    if (filter.startsWith(SHARED)) {
      throw new MqttRefused(
          MqttRefused.NOT_SHARED, "subscriptions cannot be shared: each viewer gets all");
    }
    if (filter.startsWith(MqttWord.TOPIC)) {
      subscribeWords(filter, new MqttSubscription.Options(0, false, options.id()));
      return 0;
    }
    boolean isShown =
        !isFive || option.retainHandling() == RetainedHandlingPolicy.SEND_AT_SUBSCRIBE;
    MqttSubscription known = session.get(filter);
    if (known != null) {
      known.change(options);
      session.look();
      if (isShown) {
        effects.add(() -> seat.showAgain(filter));
      }
      return qos;
    }
    boolean isShownOnce = option.retainHandling() != RetainedHandlingPolicy.DONT_SEND_AT_SUBSCRIBE;
    JsonObject headers = headers(properties, isShown || isShownOnce);
    register(filter, options, headers);
    return qos;
  }

  /** It is in the session first: what it is sent may come at once. */
  private void register(String filter, MqttSubscription.Options options, JsonObject headers)
      throws MqttRefused {
    Map<String, String> wishes = new HashMap<>();
    for (String name : List.of("mode", "maxRate", "maxBytesPerSecond")) {
      if (headers.containsKey(name)) {
        wishes.put(name, headers.getString(name));
      }
    }
    session.put(filter, new MqttSubscription(options, wishes));
    try {
      seat.register(filter, headers);
    } catch (MqttRefused refused) {
      session.remove(filter);
      throw refused;
    }
  }

  private void subscribeWords(String filter, MqttSubscription.Options options) throws MqttRefused {
    try {
      if (session.wordFilters() >= MOST_WORDS) {
        throw new MqttRefused(
            MqttRefused.QUOTA, "a client may have " + MOST_WORDS + " filters of $galop/");
      }
      session.putWords(
          TopicFilter.parse(filter, WORD_BYTES), new MqttSubscription(options, Map.of()));
    } catch (IllegalArgumentException e) {
      throw new MqttRefused(MqttRefused.BAD_FILTER, String.valueOf(e.getMessage()));
    }
  }

  private static int id(MqttProperties properties) {
    MqttProperty<?> given = properties.getProperty(MqttProperties.SUBSCRIPTION_IDENTIFIER);
    return given == null ? 0 : (Integer) given.value();
  }

  /** Without a snapshot it begins with the present, and hears from which Positions on. */
  private static JsonObject headers(MqttProperties properties, boolean isShown) {
    JsonObject headers = new JsonObject().put("words", "true");
    if (properties.getProperty(MqttProperties.USER_PROPERTY) instanceof UserProperties all) {
      all.value().stream()
          .filter(pair -> HEADERS.contains(pair.key))
          .forEach(pair -> headers.put(pair.key, pair.value));
    }
    if (!headers.containsKey("since")) {
      headers.put(isShown ? "snapshot" : "since", isShown ? "true" : "");
    }
    return headers;
  }

  byte[] unsubscribe(List<String> filters) {
    byte[] codes = new byte[filters.size()];
    for (int i = 0; i < codes.length; i++) {
      String filter = filters.get(i);
      if (session.remove(filter)) {
        seat.unregister(filter);
      } else {
        codes[i] = NOT_THERE;
      }
    }
    return codes;
  }

  void closed() {
    seat.closed();
  }
}
