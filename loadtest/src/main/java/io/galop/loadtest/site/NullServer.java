package io.galop.loadtest.site;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes records on every door and acknowledges them, and does nothing else. */
@Command(name = "null-server", hidden = true)
public final class NullServer implements Callable<Integer> {
  private static final Pattern LENGTH = Pattern.compile("(?i)\ncontent-length:\\s*(\\d+)");
  private static final byte[] BRIDGE_ANSWER =
      "{\"type\":\"message\",\"address\":\"load\",\"body\":{\"accepted\":1,\"rejected\":[]}}"
          .getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HTTP_ANSWER =
      "HTTP/1.1 202 Accepted\r\nContent-Length: 28\r\n\r\n{\"accepted\":1,\"rejected\":[]}"
          .getBytes(StandardCharsets.US_ASCII);
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BACKLOG = 1_024;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(arity = "4", description = "The ports of http, tcp, mqtt and the bridge.")
  private List<Integer> ports;

  /** Answers one connection until it ends. */
  private interface Door {
    void serve(InputStream in, OutputStream out) throws IOException;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Door> doors =
        List.of(NullServer::http, NullServer::tcp, NullServer::mqtt, NullServer::bridge);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < doors.size(); i++) {
      Door door = doors.get(i);
      ServerSocket server =
          new ServerSocket(ports.get(i), BACKLOG, InetAddress.getLoopbackAddress());
      Thread thread = new Thread(() -> accept(server, door));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return 0;
  }

  private static void accept(ServerSocket server, Door door) {
    try {
      while (true) {
        Socket socket = server.accept();
        new Thread(() -> serve(socket, door)).start();
      }
    } catch (IOException e) {
      System.err.println("null-server: " + e);
    }
  }

  private static void serve(Socket socket, Door door) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
      door.serve(in, socket.getOutputStream());
    } catch (IOException e) {
      // The generator has closed the connection.
      return;
    }
  }

  private static void tcp(InputStream in, OutputStream out) throws IOException {
    PushbackInputStream all = new PushbackInputStream(in);
    int first = all.read();
    all.unread(first);
    if (first == '{') {
      lines(all, out);
    } else {
      batches(all, out);
    }
  }

  private static void lines(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long acked = 0;
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      for (int i = 0; i < read; i++) {
        acked += buffer[i] == '\n' ? 1 : 0;
      }
      out.write(("{\"acked\":" + acked + "}\n").getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void batches(InputStream in, OutputStream out) throws IOException {
    long acked = 0;
    byte[] answer = new byte[16];
    for (int first = in.read(); first >= 0; first = in.read()) {
      byte[] batch = in.readNBytes(CodedInputStream.readRawVarint32(first, in));
      CodedInputStream fields = CodedInputStream.newInstance(batch);
      for (int tag = fields.readTag(); tag != 0; tag = fields.readTag()) {
        acked += WireFormat.getTagFieldNumber(tag) == 3 ? 1 : 0;
        fields.skipField(tag);
      }
      CodedOutputStream message = CodedOutputStream.newInstance(answer, 1, answer.length - 1);
      message.writeUInt64(1, acked);
      answer[0] = (byte) message.getTotalBytesWritten();
      out.write(answer, 0, 1 + answer[0]);
    }
  }

  private static void http(InputStream in, OutputStream out) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (b == '\n' && head.length() > 3 && head.charAt(head.length() - 3) == '\n') {
        Matcher length = LENGTH.matcher(head);
        in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
        out.write(HTTP_ANSWER);
        head.setLength(0);
      }
    }
  }

  private static void mqtt(InputStream in, OutputStream out) throws IOException {
    for (int type = in.read(); type >= 0; type = in.read()) {
      byte[] rest = in.readNBytes(CodedInputStream.readRawVarint32(in.read(), in));
      if (type >> 4 == 1) {
        out.write(new byte[] {0x20, 2, 0, 0});
      } else {
        int topic = ByteBuffer.wrap(rest).getShort();
        out.write(new byte[] {0x40, 2, rest[2 + topic], rest[3 + topic]});
      }
    }
  }

  private static void bridge(InputStream in, OutputStream out) throws IOException {
    DataInputStream frames = new DataInputStream(in);
    byte[] answer = new byte[Integer.BYTES + BRIDGE_ANSWER.length];
    ByteBuffer.wrap(answer).putInt(BRIDGE_ANSWER.length).put(BRIDGE_ANSWER);
    while (true) {
      in.skipNBytes(frames.readInt());
      out.write(answer);
    }
  }
}
