package io.galop.socket;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.uring.IoUringChannelOption;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TCP keep-alive: the kernel asks whether the other end is there, when nothing has come for a time,
 * so that a connection ends whose other end went without a word.
 */
final class KeepAlive {
  private static final Logger LOG = LoggerFactory.getLogger(KeepAlive.class);

  private static final int PROBES = 4;

  /** By the transports; each knows its own and passes over the others'. */
  private static final List<ChannelOption<Integer>> IDLE =
      List.of(
          EpollChannelOption.TCP_KEEPIDLE,
          IoUringChannelOption.TCP_KEEPIDLE,
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE));

  private static final List<ChannelOption<Integer>> INTERVAL =
      List.of(
          EpollChannelOption.TCP_KEEPINTVL,
          IoUringChannelOption.TCP_KEEPINTVL,
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL));

  private static final List<ChannelOption<Integer>> COUNT =
      List.of(
          EpollChannelOption.TCP_KEEPCNT,
          IoUringChannelOption.TCP_KEEPCNT,
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT));

  private KeepAlive() {}

  /** Asks after so many seconds, and gives up after as many again without an answer. */
  static void set(Channel connection, int seconds) {
    try {
      set(connection.config(), seconds);
    } catch (ChannelException gone) {
      LOG.debug("a connection went before it could be kept alive: {}", gone.getMessage());
    }
  }

  private static void set(ChannelConfig config, int seconds) {
    if (config.setOption(ChannelOption.SO_KEEPALIVE, true)) {
      first(config, IDLE, seconds);
      first(config, INTERVAL, Math.max(1, seconds / PROBES));
      first(config, COUNT, PROBES);
    }
  }

  private static void first(ChannelConfig config, List<ChannelOption<Integer>> options, int value) {
    for (ChannelOption<Integer> option : options) {
      if (config.setOption(option, value)) {
        return;
      }
    }
  }
}
