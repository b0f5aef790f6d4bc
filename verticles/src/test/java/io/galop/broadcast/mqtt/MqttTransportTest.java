package io.galop.broadcast.mqtt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.broadcast.packet.PublishPacket;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.Framing;
import io.galop.broadcast.sockjs.SocketWriter;
import io.galop.broadcast.sockjs.Transport;
import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.MqttViewersConfig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttVersion;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client is sent, and up to where its session says that it has it. */
class MqttTransportTest {
  private static final MqttViewersConfig CONFIG =
      ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of()).broadcast().mqtt();

  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
  private final ViewerSession session = new ViewerSession();
  private final List<Boolean> left = new ArrayList<>();
  private final Transport.Receipt receipt = (size, records, isSent) -> left.add(isSent);
  private final AtomicInteger tooLarge = new AtomicInteger();
  private final AtomicInteger notTaken = new AtomicInteger();
  private final MqttTransport.PassedOver passedOver =
      new MqttTransport.PassedOver() {
        @Override
        public void tooLarge() {
          tooLarge.incrementAndGet();
        }

        @Override
        public void notTaken(PublishPacket packet) {
          notTaken.incrementAndGet();
        }
      };
  private final MqttTransport transport = transport(MqttProperties.NO_PROPERTIES);

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private MqttTransport transport(MqttProperties wishes) {
    return transport(wishes, true);
  }

  private MqttTransport transport(MqttProperties wishes, boolean keepsPlace) {
    SocketWriter wire = new SocketWriter(channel.pipeline().firstContext());
    return new MqttTransport(wire, greeting(wishes), session, keepsPlace, passedOver, () -> {});
  }

  private static MqttGreeting greeting(MqttProperties wishes) {
    return new MqttGreeting(
        MqttMessageBuilders.connect()
            .properties(wishes)
            .protocolVersion(MqttVersion.MQTT_5)
            .clientId("c")
            .cleanSession(false)
            .build(),
        CONFIG);
  }

  private MqttSubscription subscribe(int qos) {
    MqttSubscription made =
        new MqttSubscription(new MqttSubscription.Options(qos, false, 0), Map.of());
    session.put("a/#", made);
    made.settled(MqttSubscriptionTest.live("1.1-4"));
    return made;
  }

  private record Some(Frame[] frames, int records, int size) implements Frames {
    static Frames of(Frame... frames) {
      int records = Arrays.stream(frames).mapToInt(Frame::records).sum();
      return new Some(frames, records, Arrays.stream(frames).mapToInt(Frame::size).sum());
    }

    @Override
    public ByteBuf encoded(Framing framing, ByteBufAllocator allocator) {
      throw new UnsupportedOperationException();
    }
  }

  /** What was due when the connection ended: the client comes back for it. */
  @Test
  void whatIsWrittenBehindTheEndMovesNothing() {
    for (int qos : new int[] {0, 1}) {
      left.clear();
      MqttSubscription subscription = subscribe(qos);
      transport.closed();
      Frames late = Some.of(MqttSubscriptionTest.record(5), MqttSubscriptionTest.live("1.1-9"));
      assertFalse(transport.write(late, receipt));
      assertEquals(Optional.of("1.1-4"), subscription.since());
      assertEquals(List.of(false), left);
    }
  }

  /** The client misses them, so an operator has to be able to know. */
  @Test
  void whatIsLargerThanTheClientTakesIsCounted() {
    MqttTransport small = transport(atMost(10));
    for (int qos : new int[] {0, 1}) {
      subscribe(qos);
      small.write(Some.of(MqttSubscriptionTest.record(5)), receipt);
    }
    assertEquals(2, tooLarge.get());
    transport.write(Some.of(MqttSubscriptionTest.record(6)), receipt);
    assertEquals(2, tooLarge.get());
  }

  /** Older versions took such topics; the client would come back for it again and again. */
  @Test
  void whatWouldEndTheConnectionIsPassedOver() {
    MqttTransport plain = transport(MqttProperties.NO_PROPERTIES, false);
    Frame strange = MqttSubscriptionTest.record("a/\u0085", 5);
    for (MqttTransport each : List.of(plain, transport)) {
      for (int qos : new int[] {0, 1}) {
        MqttSubscription subscription = subscribe(qos);
        notTaken.set(0);
        each.write(Some.of(strange), receipt);
        assertEquals(1, notTaken.get());
        assertEquals(0, channel.outboundMessages().size());
        each.write(Some.of(strange, MqttSubscriptionTest.record(6)), receipt);
        each.acknowledged(3);
        assertEquals(1, channel.outboundMessages().size());
        assertEquals(Optional.of("1.1-6"), subscription.since(), "as if it was sent");
        channel.releaseOutbound();
      }
    }
  }

  /** It would end the connection at it, and never know why (MQTT 5, 3.1.2.11.4). */
  @Test
  void noGoodbyeIsLargerThanTheClientTakes() {
    String sentence = "the client connected again";
    for (int most : new int[] {20, 100}) {
      transport(atMost(most)).end(MqttRefused.TAKEN_OVER, sentence);
      ByteBuf goodbye = channel.readOutbound();
      assertEquals(most == 20 ? 4 : 4 + 3 + sentence.length(), goodbye.readableBytes());
      goodbye.release();
    }
  }

  @Test
  void noGreetingIsLargerThanTheClientTakes() {
    for (int most : new int[] {10, 100}) {
      ByteBuf accepted = MqttReplies.accepted(greeting(atMost(most)), false, 131_072);
      assertEquals(most == 10 ? 5 : 12, accepted.readableBytes());
    }
  }

  private static MqttProperties atMost(int bytes) {
    MqttProperties wishes = new MqttProperties();
    wishes.add(new MqttProperties.IntegerProperty(MqttProperties.MAXIMUM_PACKET_SIZE, bytes));
    return wishes;
  }

  @Test
  void nothingIsSentBehindTheGoodbye() {
    MqttSubscription subscription = subscribe(1);
    transport.write(Some.of(MqttSubscriptionTest.record(5)), receipt);
    transport.end(MqttRefused.TAKEN_OVER, "the client connected again");
    channel.releaseOutbound();
    transport.acknowledged(1);
    transport.write(Some.of(MqttSubscriptionTest.record(6)), receipt);
    assertEquals(Optional.of("1.1-5"), subscription.since(), "it has what it acknowledged");
    assertEquals(List.of(true, false), left);
    assertEquals(0, channel.outboundMessages().size());
  }

  /** Else a record of QoS 0 would move the Position past those that are not acknowledged. */
  @Test
  void anotherQosWaitsForWhatIsInFlight() {
    MqttSubscription subscription = subscribe(1);
    transport.write(Some.of(MqttSubscriptionTest.record(5)), receipt);
    subscription.change(new MqttSubscription.Options(0, false, 0));
    session.look();
    transport.write(Some.of(MqttSubscriptionTest.record(6)), receipt);
    assertEquals(Optional.of("1.1-4"), subscription.since());
    transport.acknowledged(1);
    assertEquals(Optional.of("1.1-6"), subscription.since());
    transport.write(Some.of(MqttSubscriptionTest.record(7)), receipt);
    assertEquals(Optional.of("1.1-7"), subscription.since());
    assertFalse(left.contains(false));
  }

  /** It was told that the session is there, and does not subscribe again. */
  @Test
  void aSessionThatCannotGoOnSaysSo() {
    subscribe(1);
    MqttTopics topics = new MqttTopics(new Refusing(), session);
    assertEquals(MqttRefused.QUOTA, assertThrows(MqttRefused.class, () -> topics.resume()).code());
  }

  private static final class Refusing implements MqttSeat {
    @Override
    public void register(String filter, JsonObject headers) throws MqttRefused {
      throw new MqttRefused(MqttRefused.QUOTA, "no more may be registered");
    }

    @Override
    public void showAgain(String filter) {}

    @Override
    public void unregister(String filter) {}

    @Override
    public void closed() {}
  }
}
