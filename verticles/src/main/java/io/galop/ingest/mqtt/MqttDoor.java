package io.galop.ingest.mqtt;

import io.galop.config.Listener;
import io.galop.config.ingest.MqttDoorConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.publisher.Credential;
import io.galop.ingest.publisher.Publishers;
import io.galop.ingest.publisher.Visitor;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mqtt.MqttAuth;
import io.vertx.mqtt.MqttEndpoint;
import io.vertx.mqtt.MqttServer;
import io.vertx.mqtt.MqttServerOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mqtt door: topic and payload, QoS 0 to 2, wills; the token is the password. */
public final class MqttDoor implements Door {
  private static final Logger LOG = LoggerFactory.getLogger(MqttDoor.class);
  private static final String NAME = Listener.MQTT;

  private static final int CONNECT_TIMEOUT_SECONDS = 10;

  private final Node node;
  private final Intake intake;
  private final Publishers publishers;
  private final MqttConnection.Shared shared;
  private final MqttServer server;
  private final Map<MqttConnection, Future<Void>> connections = new HashMap<>();

  public MqttDoor(Vertx vertx, Node node, Intake intake, Publishers publishers) {
    this.node = node;
    this.intake = intake;
    this.publishers = publishers;
    this.shared =
        new MqttConnection.Shared(
            intake,
            new MqttPayload(intake.reader(), node.config().ingest()),
            MqttSessions.of(vertx, node),
            config(),
            new DoorMeters(node.meters(), NAME),
            MqttRefusals.on(vertx));
    MqttServerOptions options =
        new MqttServerOptions()
            .setAutoClientId(false)
            .setMaxMessageSize(config().maxMessageBytes())
            .setTimeoutOnConnect(CONNECT_TIMEOUT_SECONDS);
    this.server =
        MqttServer.create(vertx, options)
            .endpointHandler(this::connect)
            .exceptionHandler(failure -> LOG.debug("mqtt connection refused", failure));
  }

  private MqttDoorConfig config() {
    return node.config().ingest().mqtt();
  }

  @Override
  public Future<Void> open() {
    return node.listeners()
        .open(
            Listener.of(node.config(), NAME),
            this::packets,
            port -> server.listen(port, config().host()).map(MqttServer::actualPort));
  }

  private MqttPackets packets() {
    return new MqttPackets(intake.inFlight(), shared.meters().halfSent(), node.config().ingest());
  }

  private void connect(MqttEndpoint endpoint) {
    if (intake.inFlight().isClosing()) {
      new MqttAnswers(endpoint).closing();
      return;
    }
    MqttConnection connection =
        new MqttConnection(
            endpoint,
            shared,
            onRevoked ->
                Visitor.ofUser(
                    publishers, intake.context(), shown(endpoint), user(endpoint), onRevoked));
    Future<Void> ended = connection.open();
    connections.put(connection, ended);
    ended.onComplete(gone -> connections.remove(connection));
  }

  private Credential shown(MqttEndpoint endpoint) {
    MqttAuth auth = endpoint.auth();
    String password = auth == null || auth.getPassword() == null ? "" : auth.getPassword();
    String subject = publishers.isOpen() ? "" : Credential.subjectOf(endpoint.sslSession());
    return Credential.of(password, subject);
  }

  private static String user(MqttEndpoint endpoint) {
    MqttAuth auth = endpoint.auth();
    return auth == null || auth.getUsername() == null ? "" : auth.getUsername();
  }

  /** The server closes last, since it takes its connections with it. */
  @Override
  public Future<Void> close() {
    node.listeners().closed(NAME);
    List<Future<Void>> ended = List.copyOf(connections.values());
    List.copyOf(connections.keySet()).forEach(MqttConnection::end);
    return Future.join(ended).eventually(server::close).mapEmpty();
  }
}
