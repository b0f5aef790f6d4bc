package io.galop.loadtest.experiments.state;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Takes NDJSON lines over TCP, a thread for each connection, puts their prices into windows, and
 * acknowledges; nothing else. For comparing ways to keep state.
 */
@Command(name = "state-server", hidden = true)
public final class StateServer implements Callable<Integer> {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BACKLOG = 1_024;
  private static final String TOPIC = "\"topic\":\"";
  private static final String PRICE = "\"price\":";

  @Parameters(index = "0")
  private int port;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "1")
  private Discipline discipline;

  @Override
  public Integer call() throws IOException {
    State state = discipline.state();
    try (ServerSocket server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket socket = server.accept();
        new Thread(() -> serve(socket, state)).start();
      }
    }
  }

  private static void serve(Socket socket, State state) {
    try (socket) {
      socket.setTcpNoDelay(true);
      new Connection(state)
          .serve(
              new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES),
              socket.getOutputStream());
    } catch (IOException e) {
      // The generator has closed the connection.
      return;
    }
  }

  /** One connection's lines, as many at a time as have come. */
  private static final class Connection {
    private final State state;
    private final byte[] buffer = new byte[2 * BUFFER_BYTES];
    private final String[] topics = new String[BUFFER_BYTES];
    private final double[] prices = new double[BUFFER_BYTES];
    private int filled;
    private long acked;

    Connection(State state) {
      this.state = state;
    }

    void serve(InputStream in, OutputStream out) throws IOException {
      int read = in.read(buffer, 0, BUFFER_BYTES);
      while (read >= 0) {
        filled += read;
        int count = lines();
        if (count > 0) {
          state.take(topics, prices, count);
          acked += count;
          out.write(("{\"acked\":" + acked + "}\n").getBytes(StandardCharsets.US_ASCII));
        }
        read = in.read(buffer, filled, buffer.length - filled);
      }
    }

    private int lines() {
      int count = 0;
      int start = 0;
      for (int i = 0; i < filled; i++) {
        if (buffer[i] == '\n') {
          String line = new String(buffer, start, i - start, StandardCharsets.ISO_8859_1);
          int topic = line.indexOf(TOPIC) + TOPIC.length();
          topics[count] = line.substring(topic, line.indexOf('"', topic));
          int price = line.indexOf(PRICE) + PRICE.length();
          prices[count++] = Double.parseDouble(line.substring(price, line.indexOf(',', price)));
          start = i + 1;
        }
      }
      System.arraycopy(buffer, start, buffer, 0, filled - start);
      filled -= start;
      return count;
    }
  }
}
