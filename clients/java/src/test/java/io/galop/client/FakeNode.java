package io.galop.client;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A node that says what a test tells it to, over real websockets. */
final class FakeNode implements AutoCloseable {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int PATIENCE_SECONDS = 20;

  /** Request lines in the order of their arrival. */
  final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

  private final BlockingQueue<Viewer> viewers = new LinkedBlockingQueue<>();
  private final ServerSocket server;

  /** Empty, or what every request is answered: status, space, body. */
  volatile String answer = "";

  /** Header lines of such an answer. */
  volatile String headers = "";

  FakeNode() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "fake node");
    thread.setDaemon(true);
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/live";
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        daemon(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      String request = line(in);
      String key = "";
      String authorization = "";
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        if (line.startsWith("Sec-WebSocket-Key: ")) {
          key = line.substring(19);
        } else if (line.startsWith("Authorization: ")) {
          authorization = " " + line.substring(15);
        }
      }
      requests.add(request.replace(" HTTP/1.1", "") + authorization);
      OutputStream out = socket.getOutputStream();
      if (!answer.isEmpty()) {
        out.write(
            ascii("HTTP/1.1 " + answer.substring(0, 3) + " x\r\n" + body(answer.substring(4))));
      } else {
        out.write(
            ascii(
                "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: "
                    + accepted(key)
                    + "\r\n\r\n"));
        Viewer viewer = new Viewer(socket);
        viewers.add(viewer);
        viewer.hear(in);
      }
    } catch (IOException e) {
      // the viewer is gone
    }
  }

  private String body(String text) {
    return headers + "Connection: close\r\nContent-Length: " + text.length() + "\r\n\r\n" + text;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String accepted(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-1").digest(ascii(key + GUID));
      return Base64.getEncoder().encodeToString(hash);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** The next that connects. */
  Viewer viewer() throws InterruptedException {
    Viewer viewer = viewers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (viewer == null) {
      throw new AssertionError("nobody connects");
    }
    return viewer;
  }

  @Override
  public void close() throws IOException {
    server.close();
    viewers.forEach(Viewer::kill);
  }

  /** One connection, from the node's side. */
  static final class Viewer {
    private final Socket socket;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    Viewer(Socket socket) {
      this.socket = socket;
    }

    private void hear(DataInputStream in) throws IOException {
      while (true) {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte() & 127;
        length = length == 126 ? in.readUnsignedShort() : length;
        byte[] mask = in.readNBytes(4);
        byte[] text = in.readNBytes(length);
        for (int i = 0; i < length; i++) {
          text[i] ^= mask[i % 4];
        }
        if ((first & 15) == 1) {
          said.add(new String(text, StandardCharsets.UTF_8));
        }
      }
    }

    /** The next message but pings. */
    Map<String, Object> next() throws InterruptedException {
      while (true) {
        String text = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (text == null) {
          throw new AssertionError("the client says nothing");
        }
        Map<String, Object> message = Json.object(text);
        if (!"ping".equals(message.get("type"))) {
          return message;
        }
      }
    }

    Object nextHeader(String name) throws InterruptedException {
      Map<?, ?> headers = (Map<?, ?>) next().get("headers");
      return headers.containsKey(name) ? headers.get(name) : "none";
    }

    /** Says a text in quotes of which ' stands for ". */
    void say(String text) throws IOException {
      sayAsIs(text.replace('\'', '"'));
    }

    /** In one write: the viewer may end the connection for the first. */
    void sayAsIs(String... texts) throws IOException {
      ByteBuffer frames = ByteBuffer.allocate(4_096);
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        frames.put((byte) 0x81);
        if (bytes.length < 126) {
          frames.put((byte) bytes.length);
        } else {
          frames.put((byte) 126).putShort((short) bytes.length);
        }
        frames.put(bytes);
      }
      socket.getOutputStream().write(frames.array(), 0, frames.position());
    }

    void record(String filter, String topic, String id, String position) throws IOException {
      say(
          "{'type':'rec','address':'%s','body':{'id':'%s','time':7,'data':{'n': [1,2.5,null]}},'headers':{'topic':'%s','pos':'%s'}}"
              .formatted(filter, id, topic, position));
    }

    /** Sends a close frame. */
    void close(int code) throws IOException {
      byte[] frame = {(byte) 0x88, 2, (byte) (code >> 8), (byte) code};
      socket.getOutputStream().write(frame);
    }

    void kill() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
