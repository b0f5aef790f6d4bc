package io.galop.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What strangers may send to the ports of a packed node: anything, and the log stays readable. */
@Timeout(180)
class StrangersIT {
  private static final List<String> PATHS =
      List.of(
          "/%zz",
          "/%",
          "/%e",
          "/a/%f",
          "/%00",
          "/%ff%fe",
          "/..%2f..%2fetc/passwd",
          "//",
          "/*",
          "/live/%zz/websocket",
          "/live/000/%c0%af/xhr",
          "/history/%zz",
          "/history/%ff",
          "/history/a?from=%zz",
          "/publish/%zz",
          "/stream/%zz",
          "/?%zz",
          "http://[::1/",
          "*",
          "/\\..\\",
          "/%0d%0aX-Forged:%20yes",
          "/scripts/%zz",
          "/viewers?limit=%zz");

  private static final List<String> METHODS = List.of("GET", "POST", "OPTIONS", "BREW");

  /** To MQTT: a PUBLISH, a SUBSCRIBE, a PINGREQ and a DISCONNECT before CONNECT, and worse. */
  private static final List<String> MQTT =
      List.of(
          "300500016178" + "31",
          "8206000100016100",
          "c000",
          "e000",
          "f000",
          "0000",
          "30ffffffffff7f",
          "10ffffff7f",
          "100c00044d515454ff02003c0000",
          "101000044d5154540402003c",
          "10100004" + "4d515454" + "0402003c0004" + "6162" + "0d0a",
          "1004000400ff");

  /** To ports of frames with a length in front: none, negative, huge, no JSON, odd JSON. */
  private static final List<String> FRAMES =
      List.of(
          "00000000",
          "ffffffff",
          "80000000",
          "7fffffff00",
          "000000027b7d",
          "00000001ff",
          "000000045b315d20",
          frame("{\"type\":1}"),
          frame("{\"type\":\"send\",\"address\":7}"),
          frame("{\"type\":\"send\",\"address\":\"galop.publish\",\"body\":[],\"headers\":1}"),
          frame("{\"type\":\"register\"}"),
          frame("{\"type\":\"\\u0007\\n2026 ERROR forged\"}"),
          frame("null"),
          frame("[]"));

  @TempDir private Path directory;

  private static String frame(String text) {
    return "%08x".formatted(text.length()) + HexFormat.of().formatHex(text.getBytes(ISO_8859_1));
  }

  private static void send(String address, byte[] bytes) throws IOException {
    int colon = address.lastIndexOf(':');
    try (Socket socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
      socket.setSoTimeout(50);
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
      socket.getInputStream().read(new byte[8_192]);
    } catch (SocketTimeoutException silent) {
      // Nothing has to be answered.
    } catch (IOException reset) {
      // Nor has anything to be read to its end.
    }
  }

  private static String status(String address, String request) throws IOException {
    int colon = address.lastIndexOf(':');
    try (Socket socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      byte[] answer = socket.getInputStream().readNBytes(12);
      return new String(answer, ISO_8859_1);
    }
  }

  @Test
  void nothingThatIsSentMakesAStackTrace() throws Exception {
    int members = Ports.free();
    List<String> clustered = new ArrayList<>();
    for (String set :
        List.of(
            "cluster.members=[127.0.0.1:" + members + "]",
            "cluster.port=" + members,
            "cluster.busPort=0")) {
      clustered.addAll(List.of("--set", set));
    }
    try (GalopProcess node = GalopProcess.run(directory, List.of("-Xmx512m"), clustered)) {
      for (String port : List.of("http", "management")) {
        for (String bad : List.of("/%zz", "/%", "/live/%a")) {
          String request = "GET " + bad + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
          assertEquals("HTTP/1.1 400", status(node.address(port), request), bad);
        }
        String two = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n";
        assertEquals("HTTP/1.1 400", status(node.address(port), two));
      }
      everything(node);
      assertTrue(node.isAlive());
      String request = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
      assertEquals("HTTP/1.1 200", status(node.address("management"), request));
      Thread.sleep(500);
      String log = node.complaints();
      assertFalse(log.contains("\tat "), log.substring(0, Math.min(log.length(), 20_000)));
      assertFalse(log.contains("OutOfMemory"), log);
      assertFalse(log.lines().anyMatch(line -> line.startsWith("2026 ERROR forged")), log);
      assertTrue(log.length() < 60_000, "the log has " + log.length() + " characters:\n" + log);
    }
  }

  private static void everything(GalopProcess node) throws IOException {
    for (String port : List.of("http", "management")) {
      for (String path : PATHS) {
        for (String method : METHODS) {
          String head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
          send(node.address(port), head.getBytes(ISO_8859_1));
        }
      }
    }
    for (int i = 0; i < 30; i++) {
      for (String packet : MQTT) {
        send(node.address("mqtt"), HexFormat.of().parseHex(packet));
      }
    }
    for (String port : List.of("bridge", "bus")) {
      for (String frame : FRAMES) {
        send(node.address(port), HexFormat.of().parseHex(frame));
      }
    }
    Random random = new Random(14);
    for (String port : List.of("http", "management", "tcp", "mqtt", "bridge", "bus", "cluster")) {
      for (int i = 0; i < 8; i++) {
        byte[] noise = new byte[random.nextInt(1, 4_096)];
        random.nextBytes(noise);
        send(node.address(port), noise);
      }
    }
  }
}
