package io.galop.socket;

import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttProperty;
import java.nio.charset.StandardCharsets;

/**
 * What a client of MQTT 5 lets itself be told in words.
 *
 * @param wishes the properties of its CONNECT
 */
public record MqttReason(MqttProperties wishes) {
  /** A packet is at most so much longer than its sentence and its codes. */
  private static final int BESIDES_BYTES = 16;

  /**
   * A sentence for an answer to a packet; empty where the client wants none (MQTT 5, 3.1.2.11.7),
   * or takes no packet of that size.
   *
   * @param codes how many codes stand beside it
   */
  public String inAnswer(String sentence, int codes) {
    boolean isWanted = number(MqttProperties.REQUEST_PROBLEM_INFORMATION, 1) != 0;
    return isWanted ? fitting(sentence, codes) : "";
  }

  /** A sentence for a CONNACK or DISCONNECT; empty where the client takes none of that size. */
  public String atEnd(String sentence) {
    return fitting(sentence, 0);
  }

  /** Such a client would end the connection at a larger packet (MQTT 5, 3.1.2.11.4). */
  private String fitting(String sentence, int codes) {
    long most = number(MqttProperties.MAXIMUM_PACKET_SIZE, Integer.MAX_VALUE);
    int bytes = sentence.getBytes(StandardCharsets.UTF_8).length;
    return bytes + codes + BESIDES_BYTES > most ? "" : sentence;
  }

  private long number(int property, long otherwise) {
    MqttProperty<?> given = wishes.getProperty(property);
    return given == null ? otherwise : Integer.toUnsignedLong((Integer) given.value());
  }
}
