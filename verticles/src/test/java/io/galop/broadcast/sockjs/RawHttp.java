package io.galop.broadcast.sockjs;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One TCP connection on which HTTP is spoken by hand; blocks. */
public final class RawHttp implements AutoCloseable {
  private static final int TIMEOUT_MS = 60_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  public RawHttp(int port) throws IOException {
    socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MS);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * The head of an answer, and its body where that has a length.
   *
   * @param headers by their names in small letters
   */
  public record Answer(int status, Map<String, String> headers, String body) {
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }

    /** The type without its spaces. */
    public String type() {
      return header("content-type").replace(" ", "");
    }
  }

  public Answer get(String path, String... headers) throws IOException {
    return request("GET", path, "", headers);
  }

  public Answer post(String path, String body, String... headers) throws IOException {
    return request("POST", path, body, headers);
  }

  public Answer request(String method, String path, String body, String... headers)
      throws IOException {
    send(method + " " + path + " HTTP/1.1", body, headers);
    return answer();
  }

  public void send(String line, String body, String... headers) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder(line).append("\r\nHost: 127.0.0.1\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    if (line.startsWith("POST")) {
      head.append("Content-Length: ").append(content.length).append("\r\n");
    }
    byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = java.util.Arrays.copyOf(first, first.length + content.length);
    System.arraycopy(content, 0, all, first.length, content.length);
    socket.getOutputStream().write(all);
  }

  /** Sends the head of a request with these headers and no other. */
  public void sendHead(String line, String... headers) throws IOException {
    sendOnly(line + "\r\nHost: 127.0.0.1", headers);
  }

  /** Sends the head of a request without a header of its own. */
  public void sendOnly(String line, String... headers) throws IOException {
    String head = line + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
  }

  public Answer answer() throws IOException {
    int status = answerStatus();
    Map<String, String> headers = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      String[] parts = line.split(":", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1].strip());
    }
    String length = headers.get("content-length");
    boolean hasBody = length != null && status != 204 && status != 304;
    String body = hasBody ? read(Integer.parseInt(length)) : "";
    return new Answer(status, headers, body);
  }

  /** Reads the status of an answer and leaves all else. */
  public int answerStatus() throws IOException {
    return Integer.parseInt(line().split(" ")[1]);
  }

  /** The next chunk of a chunked body; empty at its end. */
  public String chunk() throws IOException {
    String content = read(Integer.parseInt(line(), 16));
    line();
    return content;
  }

  public String read(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException(new String(bytes, StandardCharsets.UTF_8));
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException(line.toString());
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }

  public boolean hasInput() throws IOException {
    return in.available() > 0;
  }

  public boolean isAtEnd() throws IOException {
    return in.read() < 0;
  }

  /** Ends the connection without a word. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
