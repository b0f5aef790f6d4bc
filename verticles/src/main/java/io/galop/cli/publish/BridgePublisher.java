package io.galop.cli.publish;

import io.galop.bus.PublishLane;
import io.galop.cli.HostPort;
import io.galop.cli.TlsOptions;
import io.galop.jvm.ErrorText;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Through the Vert.x TCP event-bus bridge of a node: frames of a 4-byte length and a JSON object,
 * answers on an address of each batch's own.
 */
final class BridgePublisher implements DoorClient {
  private static final String DOOR = "galop-publish";
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int MAX_FRAME_BYTES = 64 << 20;

  /** What the bridge says of a message that the door behind it did not get, or not answer. */
  private static final Set<String> GOING = Set.of("NO_HANDLERS", "TIMEOUT");

  private final Socket socket;
  private final DataOutputStream out;
  private final String token;
  private final long answerTimeoutSeconds;
  private final Map<String, CompletableFuture<PublishAnswer>> waiting = new ConcurrentHashMap<>();

  /** Why nothing is answered any more; null while the connection is there. */
  private volatile @Nullable IOException gone;

  /** It would say the same again. */
  private static final class Unfit extends IOException {
    private static final long serialVersionUID = 1L;

    Unfit(String why) {
      super(why);
    }
  }

  BridgePublisher(HostPort bridge, TlsOptions tls, String token, long answerTimeoutSeconds)
      throws IOException {
    this.token = token;
    this.answerTimeoutSeconds = answerTimeoutSeconds;
    this.socket = tls.connect(bridge, CONNECT_TIMEOUT_MS);
    try {
      socket.setTcpNoDelay(true);
      out = new DataOutputStream(socket.getOutputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    Thread reader = new Thread(this::readFrames, "bridge-answers");
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  public CompletableFuture<PublishAnswer> send(String lines) {
    String replyAddress = UUID.randomUUID().toString();
    CompletableFuture<PublishAnswer> answer = new CompletableFuture<>();
    waiting.put(replyAddress, answer);
    JsonObject body = new JsonObject().put("lines", lines);
    JsonObject frame =
        new JsonObject()
            .put("type", "send")
            .put("address", DOOR)
            .put("replyAddress", replyAddress)
            .put("body", token.isEmpty() ? body : body.put("token", token));
    try {
      write(frame.encode().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      answer.completeExceptionally(new SteadyBridge.Lost(ErrorText.of(e)));
    }
    IOException why = gone;
    if (why != null) { // it went before this batch was among those that it left waiting
      answer.completeExceptionally(why);
    }
    return answer
        .orTimeout(answerTimeoutSeconds, TimeUnit.SECONDS)
        .whenComplete((done, failure) -> waiting.remove(replyAddress));
  }

  private synchronized void write(byte[] frame) throws IOException {
    byte[] whole = new byte[4 + frame.length];
    java.nio.ByteBuffer.wrap(whole).putInt(frame.length).put(frame);
    out.write(whole);
    out.flush();
  }

  private void readFrames() {
    IOException why;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
      while (true) {
        onFrame(readFrame(in));
      }
    } catch (EOFException e) {
      why = new SteadyBridge.Lost("the bridge closed the connection");
    } catch (RuntimeException e) { // no JSON, a null, or another type than it should be
      why = new IOException("the answer is not that of an event-bus bridge");
    } catch (Unfit e) {
      why = e;
    } catch (IOException e) {
      why = new SteadyBridge.Lost(ErrorText.of(e));
    }
    gone = why;
    IOException failure = why;
    waiting.values().forEach(answer -> answer.completeExceptionally(failure));
  }

  private static JsonObject readFrame(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_FRAME_BYTES) {
      throw new Unfit("the answer is not that of an event-bus bridge");
    }
    return new JsonObject(new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private void onFrame(JsonObject frame) throws IOException {
    CompletableFuture<PublishAnswer> answer = waiting.get(frame.getString("address", ""));
    if (!"err".equals(frame.getString("type"))) {
      if (answer != null) {
        onAnswer(answer, frame.getJsonObject("body", new JsonObject()));
      }
      return;
    }
    if (answer != null && GOING.contains(frame.getString("failureType", ""))) {
      String why = "nobody answers behind the bridge: " + frame.getString("message", "");
      answer.completeExceptionally(new SteadyBridge.Lost(why));
      return;
    }
    Unfit refused = new Unfit("the bridge refuses: " + frame.getString("message", ""));
    if (answer == null) {
      throw refused;
    }
    answer.completeExceptionally(refused);
  }

  /** A node that is going takes nothing; the one that comes in its place does. */
  private static void onAnswer(CompletableFuture<PublishAnswer> answer, JsonObject body) {
    PublishAnswer said = PublishAnswer.of(body);
    if (PublishLane.SHUTDOWN.equals(body.getString("reason"))) {
      answer.completeExceptionally(new SteadyBridge.Lost(said.error()));
    } else {
      answer.complete(said);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
