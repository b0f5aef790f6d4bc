package io.galop.broadcast;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A SockJS client over websocket that shows each frame as it came; blocks. */
final class SockClient implements AutoCloseable {
  private static final int TIMEOUT_MS = 60_000;
  private static final int TEXT = 0x81;
  private static final int CLOSE = 0x88;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final OutputStream out;

  private SockClient(int port, String path) throws IOException {
    socket.connect(new java.net.InetSocketAddress("127.0.0.1", port), TIMEOUT_MS);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
    out = socket.getOutputStream();
    String request =
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    out.write(request.formatted(path, port).getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    if (!head.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException(head.toString());
    }
  }

  /** Connects and reads the opening frame. */
  static SockClient connect(int port) throws IOException {
    SockClient client = new SockClient(port, "/live/0/session/websocket");
    String first = client.frame();
    if (!first.equals("o")) {
      throw new IOException("the first frame was " + first);
    }
    return client;
  }

  /** Connects, registers and waits until that was dealt with. */
  static SockClient watching(int port, String filter) throws IOException {
    SockClient client = connect(port);
    client.say(new JsonObject().put("type", "register").put("address", filter));
    client.say(new JsonObject().put("type", "ping"));
    while (client.messages().stream().noneMatch(m -> m.getString("type").equals("pong"))) {
      continue;
    }
    return client;
  }

  void say(JsonObject message) throws IOException {
    send(new JsonArray().add(message.encode()).encode());
  }

  /** Sends a text frame, with a mask of zeros. */
  void send(String text) throws IOException {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    java.io.ByteArrayOutputStream frame = new java.io.ByteArrayOutputStream();
    java.io.DataOutputStream to = new java.io.DataOutputStream(frame);
    to.writeByte(TEXT);
    if (payload.length < 126) {
      to.writeByte(0x80 | payload.length);
    } else if (payload.length <= 0xffff) {
      to.writeByte(0x80 | 126);
      to.writeShort(payload.length);
    } else {
      to.writeByte(0x80 | 127);
      to.writeLong(payload.length);
    }
    to.writeInt(0);
    to.write(payload);
    out.write(frame.toByteArray());
  }

  /** The next text frame; a close frame is shown as {@code close <code>}. */
  String frame() throws IOException {
    int type = in.readUnsignedByte();
    long length = in.readUnsignedByte();
    length = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
    if (type != TEXT && type != CLOSE) {
      throw new IOException("a frame of type " + type);
    }
    byte[] payload = in.readNBytes((int) length);
    return type == TEXT
        ? new String(payload, StandardCharsets.UTF_8)
        : "close " + ((payload[0] & 0xff) << 8 | payload[1] & 0xff);
  }

  /** The messages of the next array frame. */
  List<JsonObject> messages() throws IOException {
    return messages(frame());
  }

  static List<JsonObject> messages(String frame) throws IOException {
    if (!frame.startsWith("a[")) {
      throw new IOException("not an array: " + frame);
    }
    List<JsonObject> messages = new ArrayList<>();
    new JsonArray(frame.substring(1)).forEach(each -> messages.add(new JsonObject((String) each)));
    return messages;
  }

  /** What the server says until it closes the connection. */
  String rest() throws IOException {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (java.net.SocketException reset) {
      return "";
    }
  }

  /** Ends the connection without a word. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
