package io.galop.broadcast.sockjs.testserver;

import io.galop.broadcast.sockjs.Closing;
import io.galop.broadcast.sockjs.Connection;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.sockjs.Frames;
import io.galop.broadcast.sockjs.OneFrame;
import io.galop.broadcast.sockjs.Transport;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.Set;

/** Says again what it is told. One per event loop. */
final class EchoService extends OpenService {
  private static final long HEARTBEAT_MS = 25_000;
  private static final int MAX_WAITING_BYTES = 4 << 20;

  private final Set<Transport> connected = new HashSet<>();

  EchoService(Vertx vertx) {
    vertx.setPeriodic(
        HEARTBEAT_MS / Transport.BEATS, timer -> connected.forEach(Transport::onBeat));
  }

  @Override
  public Connection connected(Transport transport, String viewer) {
    connected.add(transport);
    return new Echo(transport);
  }

  private final class Echo implements Connection {
    private final Transport transport;
    private int waitingBytes;

    Echo(Transport transport) {
      this.transport = transport;
    }

    @Override
    public void onMessage(Buffer message) {
      try (OneFrame frame = new OneFrame(Frame.ofControl(message.toString()))) {
        say(frame);
      }
    }

    @Override
    public boolean hearsBinary() {
      return true;
    }

    @Override
    public void onBinary(Buffer message) {
      try (BinaryFrame frame = new BinaryFrame(message.getBytes())) {
        say(frame);
      }
    }

    private void say(Frames frame) {
      if (waitingBytes > MAX_WAITING_BYTES) {
        transport.close(new Closing(3008, "slow"));
        return;
      }
      waitingBytes += frame.size();
      boolean hasLeft = transport.write(frame, (size, records, isSent) -> waitingBytes -= size);
      waitingBytes -= hasLeft ? frame.size() : 0;
    }

    @Override
    public void onMessageTooLarge() {
      transport.close(new Closing(3500, "message_too_large"));
    }

    @Override
    public void onClosed() {
      connected.remove(transport);
    }
  }
}
