package io.galop.ops.drill;

import io.galop.config.GalopConfig;
import io.galop.config.Listener;
import io.galop.config.broadcast.MqttViewersConfig;
import io.galop.config.tls.TlsConfig;
import io.galop.config.tls.TlsConfig.ClientCertificate;
import io.galop.node.DrillPass;
import io.galop.node.Node;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.mqtt.MqttClientOptions;

/** The node's own ports for viewers, as a client on this machine reaches it. */
final class OwnPort {
  private static final String ANY = "^(0\\.0\\.0\\.0|\\[[0:]*])$";

  private final Node node;
  private final boolean isTls;

  OwnPort(Node node) {
    this.node = node;
    this.isTls = node.config().http().tls().isGiven();
  }

  /** Why a client of this machine cannot come in there; empty: it can. */
  static String closed(GalopConfig config) {
    TlsConfig tls = config.http().tls();
    if (config.http().proxyProtocol()) {
      return "http.proxyProtocol lets only proxies in";
    }
    return !tls.clientCa().isEmpty() && tls.clientCertificate() == ClientCertificate.REQUIRED
        ? "http.tls.clientCertificate is required, and the node has none"
        : "";
  }

  /** It is the node itself that answers: nobody's name has to be proven. */
  HttpClientOptions http() {
    return new HttpClientOptions().setSsl(isTls).setTrustAll(true).setVerifyHost(false);
  }

  /** The same for websockets. */
  WebSocketClientOptions websockets() {
    return new WebSocketClientOptions().setSsl(isTls).setTrustAll(true).setVerifyHost(false);
  }

  /** Whether the listener for viewers with MQTT is there, and asks for no certificate. */
  boolean takesMqtt() {
    MqttViewersConfig mqtt = node.config().broadcast().mqtt();
    return mqtt.enabled()
        && (mqtt.tls().clientCa().isEmpty()
            || mqtt.tls().clientCertificate() != ClientCertificate.REQUIRED);
  }

  MqttClientOptions mqtt() {
    MqttClientOptions options = new MqttClientOptions();
    return options
        .setSsl(node.config().broadcast().mqtt().tls().isGiven())
        .setTrustAll(true)
        .setHostnameVerificationAlgorithm("");
  }

  SocketAddress mqttAddress() {
    return address(Listener.MQTT_VIEWERS);
  }

  RequestOptions request(String path) {
    return to(address(Listener.HTTP), path, new RequestOptions());
  }

  WebSocketConnectOptions websocket(String path) {
    return to(address(Listener.HTTP), path, new WebSocketConnectOptions());
  }

  /** The header Host has an IPv6 address in square brackets; Vert.x takes the host as it is. */
  static <T extends RequestOptions> T to(SocketAddress at, String path, T options) {
    String host = at.host().contains(":") ? "[" + at.host() + "]" : at.host();
    options.setServer(at).setHost(host).setPort(at.port()).setURI(path);
    options.putHeader(DrillPass.HEADER, DrillPass.text());
    return options;
  }

  private SocketAddress address(String listener) {
    String open = node.listeners().open().get(listener);
    if (open == null) {
      throw new IllegalStateException("the listener " + listener + " is not open");
    }
    int colon = open.lastIndexOf(':');
    String host = open.substring(0, colon);
    boolean isAny = host.matches(ANY);
    String reached = host.startsWith("[") ? "::1" : "127.0.0.1";
    String given = host.replaceAll("[\\[\\]]", "");
    return SocketAddress.inetSocketAddress(
        Integer.parseInt(open.substring(colon + 1)), isAny ? reached : given);
  }
}
