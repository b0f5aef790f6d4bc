package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.broadcast.edge.TestTokens;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mosquitto's client as a viewer, at a node over TLS that asks for tokens. */
@Timeout(180)
class MqttViewersIT {
  private static final int SOON = 60;
  private static final String FORMAT = "%t q%q r%r %p %P";

  @TempDir static Path directory;
  private static TestTokens issuer;
  private static Certificate certificate;
  private static GalopProcess node;

  @BeforeAll
  static void start() throws Exception {
    issuer = TestTokens.of("HS256", directory);
    certificate = Certificate.make(directory.resolve("pem"), "localhost");
    List<String> args = new ArrayList<>();
    for (String setting :
        List.of(
            "broadcast.mqtt={enabled: true, port: 0, websocket: true, tls: {certificate: "
                + directory.resolve("localhost.crt")
                + ", key: "
                + directory.resolve("localhost.key")
                + "}}",
            "broadcast.ring.maxRecords=64",
            "broadcast.resume.maxBytes=65536")) {
      args.addAll(List.of("--set", setting));
    }
    issuer.settings().forEach(setting -> args.addAll(List.of("--set", setting)));
    node = GalopProcess.run(directory.resolve("data"), List.of(), args);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static void publish(String topic, int... numbers) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int n : numbers) {
      lines.append("{\"n\":").append(n).append("}\n");
    }
    var answer =
        Stored.post(node.http("/publish/" + topic), "application/x-ndjson", lines.toString());
    assertEquals(202, answer.statusCode(), answer.body());
  }

  private static int port() {
    String address = node.address("mqtt-viewers");
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static String token() {
    return issuer.token("anna", 600, "a/#", "b/#", "c/#", "d/#", "e/#");
  }

  /** {@code mosquitto_sub} with what it printed. */
  private static final class Sub implements AutoCloseable {
    private final Process process;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    Sub(String... arguments) throws IOException {
      this(token(), arguments);
    }

    Sub(String token, String[] arguments) throws IOException {
      List<String> command = new ArrayList<>(List.of("mosquitto_sub", "-h", "localhost", "-p"));
      command.addAll(List.of("" + port(), "--cafile", certificate.of("localhost").toString()));
      command.addAll(List.of("-u", "viewer", "-P", token, "-F", FORMAT));
      command.addAll(List.of(arguments));
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      Thread reader = new Thread(this::read, "mosquitto_sub");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader text = process.inputReader()) {
        for (String line = text.readLine(); line != null; line = text.readLine()) {
          lines.add(line);
        }
      } catch (IOException e) {
        lines.add("broken");
      }
    }

    List<String> all(String beginning) {
      return List.copyOf(lines).stream().filter(one -> one.startsWith(beginning)).toList();
    }

    /** What came on a topic, without user properties. */
    List<String> after(String topic) {
      return all(topic).stream().map(one -> one.substring(topic.length() + 1)).toList();
    }

    void await(String what) {
      Await.until(what + " in " + lines, SOON, () -> !all(what).isEmpty());
    }

    void awaitCount(String beginning, int count) {
      Await.until(count + " × " + beginning, SOON, () -> all(beginning).size() >= count);
    }

    @Override
    public void close() {
      process.destroy();
      try {
        process.waitFor(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void lastValuesAreRetainedAndTheRestIsNot() throws Exception {
    publish("a/1", 1, 2);
    try (Sub old = new Sub("-V", "311", "-t", "a/+", "-t", "$galop/live");
        Sub five = new Sub("-V", "5", "-q", "1", "-t", "a/#", "-t", "$galop/live")) {
      old.await("$galop/live");
      five.await("$galop/live");
      publish("a/1", 3);
      old.awaitCount("a/1", 2);
      five.awaitCount("a/1", 2);
      assertEquals(List.of("q0 r1 {\"n\":2} ", "q0 r0 {\"n\":3} "), old.after("a/1"));
      List<String> told = five.after("a/1");
      assertTrue(
          told.get(0).matches("q1 r1 \\{\"n\":2\\} id:.* time:\\d+ pos:\\S+ age:\\d+"), "" + told);
      assertTrue(told.get(1).matches("q1 r0 \\{\"n\":3\\} id:.* time:\\d+ pos:\\S+"), "" + told);
    }
  }

  @Test
  void whoWantsItIsToldThatEachRecordIsKept() throws Exception {
    try (Sub sub = new Sub("-V", "5", "-t", "b/#", "-t", "$galop/#", "--retain-as-published")) {
      sub.await("$galop/live");
      publish("b/1", 1);
      sub.awaitCount("b/1", 1);
      assertTrue(sub.after("b/1").get(0).startsWith("q0 r1 {\"n\":1}"), "" + sub.lines);
    }
  }

  /** It comes back with the same id: what it missed is there, in order, and it is told so. */
  @Test
  void aSessionGoesOnWhereItWas() throws Exception {
    String[] again = {"-V", "311", "-q", "1", "-c", "-i", "keeper", "-t", "c/1", "-t", "$galop/#"};
    try (Sub first = new Sub(again)) {
      first.await("$galop/live");
      publish("c/1", 1);
      first.awaitCount("c/1", 1);
    }
    publish("c/1", 2, 3, 4);
    try (Sub second = new Sub(again)) {
      second.await("$galop/resumed");
      assertTrue(second.all("$galop/resumed").get(0).contains("\"complete\":true"));
      second.awaitCount("c/1 q1 r0", 3);
      List<String> missed = second.all("c/1 q1 r0").stream().map(one -> one.substring(10)).toList();
      assertEquals(List.of("{\"n\":2} ", "{\"n\":3} ", "{\"n\":4} "), missed);
    }
    try (Sub clean =
        new Sub("-V", "311", "-q", "1", "-i", "keeper", "-t", "c/1", "-t", "$galop/#")) {
      clean.await("$galop/live");
      assertEquals(List.of(), clean.all("$galop/resumed"), "a clean session remembers nothing");
      assertEquals(List.of("q1 r1 {\"n\":4} "), clean.after("c/1"));
    }
  }

  @Test
  void strangersAndPublishersAreRefused() throws Exception {
    try (Sub stranger = new Sub("no.to.ken", new String[] {"-V", "5", "-t", "a/#"});
        Sub elsewhere = new Sub("-V", "5", "-t", "z/#");
        Sub notAllowed = new Sub("-V", "311", "-t", "z/#")) {
      Await.until("it is told why", SOON, () -> !stranger.lines.isEmpty());
      assertTrue(
          ("" + stranger.lines).toLowerCase(Locale.ROOT).contains("bad user name"),
          "" + stranger.lines);
      assertTrue(elsewhere.process.waitFor(SOON, TimeUnit.SECONDS), "no subscription is left");
      assertTrue(notAllowed.process.waitFor(SOON, TimeUnit.SECONDS), "nor here");
    }
    Process publisher =
        new ProcessBuilder(
                ("mosquitto_pub -h localhost -p %d --cafile %s -u v -P %s -V 5 -q 1 -t a/1 -m {}")
                    .formatted(port(), certificate.of("localhost"), token())
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    String said = new String(publisher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(said.toLowerCase(Locale.ROOT).contains("not authorized"), said);
  }

  /** It is the same client, whichever way it comes: by its port, or in a websocket. */
  @Test
  void aSessionGoesOnInAWebsocket() throws Exception {
    String[] byPort = {"-V", "311", "-q", "1", "-c", "-i", "both", "-t", "e/1", "-t", "$galop/#"};
    try (Sub first = new Sub(byPort)) {
      first.await("$galop/live");
      publish("e/1", 1);
      first.awaitCount("e/1", 1);
    }
    publish("e/1", 2);
    String script =
        """
        const client = require('mqtt').connect(process.argv[1], {
          clientId: 'both', clean: false, password: process.argv[2], username: 'v', reconnectPeriod: 0 });
        client.on('connect', (granted) => console.log('present', granted.sessionPresent));
        client.on('message', (topic, payload) => console.log(topic, payload.toString()));
        """;
    Process watching =
        new ProcessBuilder(
                "node",
                "-e",
                script,
                "ws://" + node.http("/mqtt").getAuthority() + "/mqtt",
                token())
            .directory(Path.of("src/test/node").toFile())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = watching.inputReader()) {
      // In any order: the client tells messages that came with the answer before its 'connect'.
      Set<String> wanted = new HashSet<>(Set.of("present true", "e/1 {\"n\":2}"));
      for (String line = ""; !wanted.isEmpty(); line = said.readLine()) {
        assertNotNull(line, () -> "the client ended without " + wanted);
        assertNotEquals("e/1 {\"n\":1}", line, "it was acknowledged");
        wanted.remove(line);
      }
    } finally {
      watching.destroy();
    }
  }

  /** A client that takes no more than one record at a time, and acknowledges none. */
  @Test
  void whoFallsBehindTheRingIsSentAwayWithItsReason() throws Exception {
    var context = javax.net.ssl.SSLContext.getInstance("TLS");
    context.init(null, new javax.net.ssl.TrustManager[] {Trusting.ALL}, null);
    try (Socket socket = context.getSocketFactory().createSocket("localhost", port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(RawPackets.connect(token(), 1));
      socket.getOutputStream().write(RawPackets.subscribe("d/1"));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      assertEquals(0x20, in.readUnsignedByte() & 0xf0, "CONNACK");
      RawPackets.skip(in);
      assertEquals(0x90, in.readUnsignedByte() & 0xf0, "SUBACK");
      RawPackets.skip(in);
      String large = new JsonObject().put("x", "y".repeat(4000)).encode() + "\n";
      int publishes = 0;
      for (int i = 0; i < 40; i++) {
        Stored.post(node.http("/publish/d/1"), "application/x-ndjson", large.repeat(10));
      }
      int type = in.readUnsignedByte();
      while ((type & 0xf0) == 0x30) {
        publishes++;
        RawPackets.skip(in);
        type = in.readUnsignedByte();
      }
      assertEquals(0xe0, type, "DISCONNECT");
      in.readUnsignedByte();
      assertEquals(0x97, in.readUnsignedByte(), "quota exceeded");
      assertEquals(1, publishes, "no more than its receive maximum");
    }
  }
}
