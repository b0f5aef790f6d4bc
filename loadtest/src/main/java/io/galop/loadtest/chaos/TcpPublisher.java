package io.galop.loadtest.chaos;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Sends lines over one connection; a thread of its own reads how many are done with. */
final class TcpPublisher extends SteadyPublisher {
  private static final long PAUSE_MS = 20;
  private static final int CONNECT_MS = 3_000;
  private static final int LOOK_MS = 500;

  TcpPublisher(
      PublishedRecords ledger, String name, List<String> hosts, int topics, double perSecond) {
    super(ledger, name, hosts, topics, perSecond);
  }

  @Override
  void publish(String to) throws IOException, InterruptedException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(to, FaultyNode.TCP), CONNECT_MS);
      socket.setSoTimeout(LOOK_MS);
      Answers answers = new Answers(socket);
      Thread reader = new Thread(answers, "answers");
      reader.setDaemon(true);
      OutputStream out = socket.getOutputStream();
      write(out, List.of("{\"token\":\"" + FaultyNode.TOKEN + "\"}"));
      List<PublishedRecords.Entry> entries = waiting();
      reader.start();
      while (!isClosed() && !answers.isOver) {
        answers.sent(entries);
        entries.forEach(PublishedRecords.Entry::attempt);
        write(out, entries.stream().map(PublishedRecords.Entry::line).toList());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        entries = due();
      }
    }
    // An answer that was under way is not waited for: the records are sent again.
    throw new IOException("the connection ended");
  }

  private static void write(OutputStream out, List<String> lines) throws IOException {
    if (!lines.isEmpty()) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  /** What the door says of one connection's lines. */
  private final class Answers implements Runnable {
    private final Socket socket;
    private final List<PublishedRecords.Entry> lines = new ArrayList<>();
    private final Set<Integer> rejected = new HashSet<>();
    private int done;
    private boolean isRefusedForNow;
    private long progressNs = System.nanoTime();
    private volatile boolean isOver;

    Answers(Socket socket) {
      this.socket = socket;
    }

    synchronized void sent(List<PublishedRecords.Entry> entries) {
      if (done == lines.size()) {
        progressNs = System.nanoTime();
      }
      lines.addAll(entries);
    }

    private synchronized boolean isLate() {
      return done < lines.size()
          && System.nanoTime() - progressNs > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    }

    @Override
    public void run() {
      try (InputStream in = socket.getInputStream()) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (!isLate() && !isRefusedForNow) {
          try {
            int next = in.read();
            if (next < 0) {
              return;
            } else if (next == '\n') {
              onAnswer(new JsonObject(line.toString(StandardCharsets.UTF_8)));
              line.reset();
            } else {
              line.write(next);
            }
          } catch (SocketTimeoutException e) {
            // What is there of a line is kept.
          }
        }
      } catch (IOException | DecodeException e) {
        // Whatever it was, the connection is of no more use.
      } finally {
        isOver = true;
      }
    }

    private synchronized void onAnswer(JsonObject answer) throws IOException {
      JsonArray rejections = answer.getJsonArray("rejected", new JsonArray());
      for (int i = 0; i < rejections.size(); i++) {
        JsonObject rejection = rejections.getJsonObject(i);
        rejected.add(rejection.getInteger("line"));
        if (HttpPublisher.isForNow(rejection)) {
          isRefusedForNow = true;
        } else {
          ledger().onRefused(rejection.encode());
        }
      }
      int acked = answer.getInteger("acked", done);
      for (; done < Math.min(acked, lines.size()); done++) {
        if (!rejected.contains(done + 1)) {
          lines.get(done).acknowledge();
        }
      }
      progressNs = System.nanoTime();
      if (answer.containsKey("error")) {
        throw new IOException(answer.getString("error"));
      }
    }
  }
}
