package io.galop.cli.replay;

import io.galop.cli.HostPort;
import io.galop.cli.TlsOptions;
import io.galop.cli.input.LineReader;
import io.galop.jvm.ErrorText;
import io.galop.record.Reason;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connection to the tcp door, whose answers a thread of its own reads. */
final class DoorConnection implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int MAX_ANSWER_BYTES = 1 << 20;

  /** Reasons that are no fault of the line. */
  private static final Set<String> LATER =
      Set.of(Reason.UNAVAILABLE.word(), Reason.OVER_QUOTA.word());

  /** Longer than a node, by default, offers records to their owner before it refuses them. */
  private static final int SILENCE_MS = 40_000;

  /** What the door answers. */
  interface Answers {
    /** So many lines of this connection have been answered, refused ones included. */
    void onAnswered(long lines);

    /** A line of this connection, from 1, was refused. */
    void onRejected(long line, String reason, String detail);

    /** The door wants nothing from this sender, now or later. */
    void onRefused(String error);

    /** Nothing came for a while; whether that is as it should be. */
    boolean onSilence();

    /** No answers will follow. */
    void onLost(String why);
  }

  private final Socket socket;
  private final OutputStream out;
  private final Answers answers;
  private final Thread reader = new Thread(this::readAnswers, "door-answers");
  private volatile boolean closed;

  DoorConnection(HostPort to, TlsOptions tls, String token, Answers answers) throws IOException {
    this.answers = answers;
    this.socket = tls.connect(to, CONNECT_TIMEOUT_MS);
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(SILENCE_MS);
      out = new BufferedOutputStream(socket.getOutputStream(), 64 * 1024);
      if (!token.isEmpty()) {
        write(
            (new JsonObject().put("token", token).encode() + "\n")
                .getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    reader.setDaemon(true);
    reader.start();
  }

  void write(byte[] line) throws IOException {
    out.write(line);
  }

  void flush() throws IOException {
    out.flush();
  }

  private void readAnswers() {
    String why = "the door closed the connection";
    try {
      LineReader lines = new LineReader(socket.getInputStream(), MAX_ANSWER_BYTES);
      for (byte[] line = next(lines); line != null; line = next(lines)) {
        onAnswer(new JsonObject(new String(line, StandardCharsets.UTF_8)));
      }
    } catch (IOException e) {
      why = ErrorText.of(e);
    } catch (RuntimeException e) { // no JSON, a null, or another type than it should be
      why = "the answer is not that of a tcp door: " + ErrorText.of(e);
    }
    if (!closed) {
      answers.onLost(why);
    }
  }

  private byte @Nullable [] next(LineReader lines) throws IOException {
    while (true) {
      try {
        return lines.next();
      } catch (SocketTimeoutException e) {
        if (!answers.onSilence()) {
          socket.close(); // a writer that is stuck in the same silence gets free
          throw new IOException("the door does not answer");
        }
      }
    }
  }

  private void onAnswer(JsonObject answer) throws IOException {
    JsonArray rejected = answer.getJsonArray("rejected", new JsonArray());
    for (int i = 0; i < rejected.size(); i++) {
      onRejected(rejected.getJsonObject(i));
    }
    if (answer.containsKey("acked")) {
      answers.onAnswered(answer.getLong("acked"));
    }
    if (answer.containsKey("error")) {
      answers.onRefused(answer.getString("error"));
    }
  }

  /** A line that may be taken later holds up those behind it: all are sent again. */
  private void onRejected(JsonObject one) throws IOException {
    long line = one.getLong("line", 0L);
    String reason = one.getString("reason", "");
    String detail = one.getString("detail", "");
    if (LATER.contains(reason)) {
      answers.onAnswered(line - 1);
      socket.close();
      throw new IOException(reason + ": " + detail);
    }
    answers.onRejected(line, reason, detail);
  }

  /** Closes; no answer of this connection is given afterwards. */
  @Override
  public void close() throws IOException {
    closed = true;
    socket.close();
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
