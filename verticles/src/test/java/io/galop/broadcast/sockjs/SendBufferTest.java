package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.Test;

class SendBufferTest {
  private static void limitsUntilItIsClosed(SocketChannel channel) {
    SendBuffer.limit(channel, 64 * 1024);
    assertTrue(channel.config().getOption(ChannelOption.SO_SNDBUF) >= 64 * 1024);
    channel.unsafe().closeForcibly();
    assertDoesNotThrow(() -> SendBuffer.limit(channel, 32 * 1024));
  }

  @Test
  void aConnectionThatWasResetIsNoError() {
    limitsUntilItIsClosed(new NioSocketChannel());
    limitsUntilItIsClosed(new EpollSocketChannel());
  }
}
