package io.galop.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.KafkaServer;
import io.galop.servers.PackedNode;
import io.galop.servers.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the packed jars say of a configuration that cannot be, and of a broker that is away. */
@Timeout(300)
class KafkaRefusalsIT {
  @TempDir Path directory;

  private Path config(String properties, int port) throws Exception {
    return Files.writeString(
        directory.resolve("galop.yaml"),
        """
        ingest:
          kafka:
            sources:
              - name: plant
                servers: ["127.0.0.1:%2$d"]
                topics: [plant]
                %1$s
        persist:
          cold:
            stores:
              - kafka: {servers: ["127.0.0.1:%2$d"], sink: {timeoutMs: 2000}, %1$s}
        """
            .formatted(properties, port));
  }

  private String refused(Path config) throws Exception {
    PackedNode check = PackedNode.start(directory, "check", List.of("check", config.toString()));
    assertEquals(2, check.awaitExit(), check.text());
    return check.text();
  }

  @Test
  void namesTheAddOnThatIsMissing() throws Exception {
    PackedNode.install(directory);
    String said = refused(config("propertiesFile: ''", 1));
    assertTrue(said.contains("ingest.kafka: the add-on kafka is not there"), said);
    assertTrue(said.contains("persist.cold.stores[0].kafka: the add-on kafka"), said);
    assertTrue(said.contains("'./galop add kafka'"), said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "properties: {security.protcol: SSL} | security.protcol is no property of Kafka's clients",
        "properties: {security.protocol: TLS} | security.protocol",
        "properties: {ssl.key.password: x} | put ssl.key.password into propertiesFile",
        "properties: {acks: '1'} | acks is set by Galop",
        "properties: {security.protocol: SSL, ssl.truststore.location: no.p12} | no.p12",
        "propertiesFile: no.properties | the file no.properties cannot be read",
      })
  void namesWhatIsWrongWithTheProperties(String properties, String said) throws Exception {
    PackedNode.install(directory, "kafka");
    String output = refused(config(properties, 1));
    assertTrue(output.contains(said), output);
    assertTrue(output.contains("ingest.kafka.sources[0]"), output);
    assertTrue(output.contains("persist.cold.stores[0].kafka"), output);
    assertTrue(!output.contains("\tat "), output);
  }

  @Test
  void aBrokerThatIsAwayIsSaidOnceAndKeepsNobodyFromWorking() throws Exception {
    PackedNode.install(directory, "kafka");
    Path config = config("propertiesFile: ''", Ports.free());
    try (PackedNode node = PackedNode.run(directory, "node", config)) {
      Broker.until(
          "it is said", 180, () -> told(node).contains("the Kafka source plant cannot be"));
      Broker.until("of the store", 180, () -> told(node).contains("the store kafka has"));
      assertTrue(node.publish("{\"topic\":\"a/b\",\"data\":{}}\n"));
      assertEquals(
          "", node.text().lines().filter(line -> line.contains("\tat ")).findAny().orElse(""));
      long warnings =
          node.text().lines().filter(line -> line.contains("the Kafka source plant")).count();
      assertEquals(1, warnings, node.text());
      assertEquals(0, node.terminate(), node.text());
    }
  }

  @Test
  void aTopicOfCursorsThatIsNotCompactedIsTold() throws Exception {
    PackedNode.install(directory, "kafka");
    try (KafkaServer server = new KafkaServer()) {
      new Broker(server).create("galop-cursor", 1);
      int port = Integer.parseInt(server.address().replaceAll(".*:", ""));
      try (PackedNode node =
          PackedNode.run(directory, "node", config("propertiesFile: ''", port))) {
        Broker.until(
            "it is told",
            60,
            () -> node.text().contains("the topic galop-cursor has cleanup.policy=delete: after"));
        assertEquals(0, node.terminate(), node.text());
      }
    }
  }

  private static String told(PackedNode node) throws Exception {
    return node.get("management", "/status");
  }
}
