package io.galop.broadcast.sockjs;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A websocket whose frames are written by hand; blocks. */
public final class RawFrames implements AutoCloseable {
  public static final int CONTINUATION = 0x0;
  public static final int TEXT = 0x1;
  public static final int BINARY = 0x2;
  public static final int CLOSE = 0x8;
  public static final int PING = 0x9;
  public static final int PONG = 0xa;
  public static final int LAST = 0x80;

  private static final int TIMEOUT_MS = 60_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final String answer;

  /**
   * A frame that the server sent.
   *
   * @param flags its first byte
   */
  public record Said(int flags, byte[] payload) {
    public boolean isClosing() {
      return flags == (LAST | CLOSE);
    }

    /** The code of a closing; 0 if it has none. */
    public int code() {
      return payload.length < 2 ? 0 : (payload[0] & 0xff) << 8 | payload[1] & 0xff;
    }

    public String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }
  }

  public RawFrames(int port, String path) throws IOException {
    this(port, path, "");
  }

  /**
   * @param headers more of the request, each with the end of its line
   */
  public RawFrames(int port, String path, String headers) throws IOException {
    socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MS);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    String request =
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n";
    write(request.formatted(path, headers).getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    if (!head.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException(head.toString());
    }
    answer = head.toString();
  }

  /** The head of the answer to the handshake. */
  public String answer() {
    return answer;
  }

  /** Sends bytes as they are. */
  public void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** The next frame. */
  public Said read() throws IOException {
    int flags = in.readUnsignedByte();
    int shortLength = in.readUnsignedByte();
    int length =
        switch (shortLength) {
          case 126 -> in.readUnsignedShort();
          case 127 -> (int) in.readLong();
          default -> shortLength;
        };
    return new Said(flags, in.readNBytes(length));
  }

  public boolean isAtEnd() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
