package io.galop.broadcast;

import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.ControlFrames;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.sockjs.Connection;
import io.galop.config.broadcast.BroadcastConfig;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one browser says, in the words of the Vert.x event-bus bridge, and the answers to it. */
final class Conversation implements Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
  private final Hub hub;
  private final Subscriber subscriber;
  private final BroadcastConfig config;
  private final Entrance entrance;
  private final ScreenAnswers screen;
  private final Registrar registrar;

  Conversation(
      NodeFeed feed,
      Hub hub,
      Subscriber subscriber,
      BroadcastConfig config,
      Entrance entrance,
      ConditionCompiler conditions) {
    this.entrance = entrance;
    this.hub = hub;
    this.subscriber = subscriber;
    this.config = config;
    this.screen = new ScreenAnswers(feed, subscriber);
    this.registrar = new Registrar(feed, hub, subscriber, config, entrance, conditions);
  }

  /** What it registers, for who speaks in other words. */
  Registrar registrar() {
    return registrar;
  }

  @Override
  public void onMessageTooLarge() {
    hub.disconnect(subscriber, Disconnect.MESSAGE_TOO_LARGE);
  }

  @Override
  public void onClosed() {
    try {
      hub.closed(subscriber);
    } finally {
      entrance.leave();
    }
  }

  @Override
  public void onLastMessage() {
    registrar.last();
  }

  @Override
  public void onMessage(Buffer data) {
    if (subscriber.isEnded()) {
      return;
    }
    if (data.length() > config.maxMessageBytes()) {
      onMessageTooLarge();
      return;
    }
    try {
      onMessage(new JsonObject(data));
    } catch (DecodeException | ClassCastException e) {
      refuse("invalid_json", "a message must be one JSON object with texts for type and address");
    } catch (RuntimeException | OutOfMemoryError fault) {
      // Half of what was asked for may be done; the browser asks for all of it when it comes back.
      LOG.warn("a browser's message could not be dealt with", fault);
      subscriber.disconnect(Disconnect.FAULT);
    }
  }

  private void onMessage(JsonObject message) {
    String type = message.getString("type");
    String address = message.getString("address");
    if (type == null) {
      refuse("missing_type", "a message must have a type");
    } else if (type.equals("ping")) {
      subscriber.tell(screen.pong(message));
    } else if (type.equals("shown")) {
      shown(message);
    } else if (type.equals("token")) {
      entrance.renew(headers(message));
    } else if (address == null) {
      refuse("missing_address", "a message of type " + type + " must have an address");
    } else {
      onMessage(type, address, headers(message));
    }
  }

  private void shown(JsonObject message) {
    try {
      screen.shown(message);
    } catch (IllegalArgumentException e) {
      refuse("invalid_shown", String.valueOf(e.getMessage()));
    }
  }

  private static JsonObject headers(JsonObject message) {
    JsonObject headers = message.getJsonObject("headers");
    return headers == null ? new JsonObject() : headers;
  }

  private void onMessage(String type, String address, JsonObject headers) {
    switch (type) {
      case "register" -> registrar.register(address, headers, refusalsOf(address));
      case "update" -> registrar.update(address, headers, refusalsOf(address));
      case "unregister" -> registrar.unregister(address);
      case "send", "publish" -> refuse("access_denied", "browsers cannot publish");
      default ->
          refuse(
              "invalid_type",
              "a message may be register, update, unregister, ping, shown or token");
    }
  }

  private Registrar.Refusals refusalsOf(String address) {
    return (word, message) -> subscriber.tell(ControlFrames.refused(address, word, message));
  }

  private void refuse(String word, String message) {
    subscriber.tell(ControlFrames.error(word, message));
  }
}
