package io.galop.broadcast;

import io.galop.broadcast.feed.Join;
import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.ControlFrames;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Newest;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Subscriber;
import io.galop.broadcast.sockjs.Connection;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one browser says, in the words of the Vert.x event-bus bridge, and the answers to it. */
final class Conversation implements Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
  private final NodeFeed feed;
  private final Hub hub;
  private final Subscriber subscriber;
  private final BroadcastConfig config;
  private final Entrance entrance;
  private final ScreenAnswers screen;

  Conversation(
      NodeFeed feed, Hub hub, Subscriber subscriber, BroadcastConfig config, Entrance entrance) {
    this.entrance = entrance;
    this.feed = feed;
    this.hub = hub;
    this.subscriber = subscriber;
    this.config = config;
    this.screen = new ScreenAnswers(feed, subscriber);
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
    if (subscriber.registrations().isEmpty()) {
      hub.disconnect(subscriber, Disconnect.BUSY);
    }
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
      case "register" -> register(address, headers);
      case "unregister" -> unregister(address);
      case "send", "publish" -> refuse("access_denied", "browsers cannot publish");
      default ->
          refuse("invalid_type", "a message may be register, unregister, ping, shown or token");
    }
  }

  private void register(String address, JsonObject headers) {
    if (subscriber.registrations().size() >= config.maxFilters()) {
      String limit = "a connection may register " + config.maxFilters() + " filters";
      refuse(address, "max_handlers_reached", limit);
    } else if (subscriber.registration(address) != null) {
      refuse(address, "address_already_registered", "'" + address + "' is registered already");
    } else if (Topic.isReserved(address) && !config.showReserved()) {
      refuse(address, "access_denied", "topics that start with $ are not shown here");
    } else {
      registerChecked(address, headers);
    }
  }

  private void registerChecked(String address, JsonObject headers) {
    TopicFilter filter;
    try {
      filter = TopicFilter.parse(address, config.maxFilterBytes());
    } catch (IllegalArgumentException e) {
      refuse(address, "invalid_address", String.valueOf(e.getMessage()));
      return;
    }
    if (!entrance.sees(filter)) {
      refuse(address, "access_denied", Entrance.notShown(filter));
      return;
    }
    Wishes wishes;
    try {
      wishes = Wishes.parse(headers, feed.shards());
    } catch (IllegalArgumentException e) {
      refuse(address, "invalid_header", String.valueOf(e.getMessage()));
      return;
    }
    String limit = entrance.register();
    if (limit.isEmpty()) {
      register(filter, wishes);
    } else {
      refuse(address, "max_handlers_reached", "no more may be registered here now, by " + limit);
    }
  }

  private void register(TopicFilter filter, Wishes wishes) {
    boolean isConflating = wishes.isConflating() || entrance.isPaced();
    Newest newest = isConflating ? subscriber.newest(wishes.maxRate()) : null;
    Registration registration =
        new Registration(subscriber, filter, newest, wishes.words(), entrance.omit());
    subscriber.add(registration);
    if (newest != null) {
      Join snapshot = new Join(hub, registration, Optional.empty());
      registration.onAskAgain(() -> feed.joins().post(snapshot));
    }
    if (wishes.needsAnswer()) {
      hub.awaitJoined(registration);
      feed.joins().post(new Join(hub, registration, wishes.since()));
    } else {
      hub.register(registration);
    }
  }

  private void unregister(String address) {
    Registration registration = subscriber.registration(address);
    if (registration != null) {
      hub.unregister(registration);
      entrance.unregistered();
    }
  }

  private void refuse(String address, String word, String message) {
    subscriber.tell(ControlFrames.refused(address, word, message));
  }

  private void refuse(String word, String message) {
    subscriber.tell(ControlFrames.error(word, message));
  }
}
