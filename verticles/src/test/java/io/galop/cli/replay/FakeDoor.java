package io.galop.cli.replay;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** A tcp door that answers as it is told, connection after connection. */
final class FakeDoor implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final BiFunction<Integer, JsonObject, String> answer;
  private final List<JsonObject> lines = new ArrayList<>();
  private int connections;

  /**
   * @param answer from the line's number on its connection and the line to the answer; empty: none;
   *     null: the connection is closed
   */
  FakeDoor(BiFunction<Integer, JsonObject, String> answer) throws IOException {
    this.answer = answer;
    Thread thread = new Thread(this::serve, "fake-door");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        synchronized (this) {
          connections++;
        }
        serve(socket);
      } catch (IOException e) {
        // the next connection, or the end
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    OutputStream out = socket.getOutputStream();
    int number = 0;
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      JsonObject line = new JsonObject(text);
      String said = answer.apply(++number, line);
      if (said == null) {
        return;
      }
      synchronized (this) {
        lines.add(line);
      }
      if (!said.isEmpty()) {
        out.write((said + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    }
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** The lines that were taken, in their order, repeated ones included. */
  synchronized List<JsonObject> lines() {
    return List.copyOf(lines);
  }

  synchronized int connections() {
    return connections;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
