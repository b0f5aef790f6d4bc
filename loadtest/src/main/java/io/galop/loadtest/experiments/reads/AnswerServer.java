package io.galop.loadtest.experiments.reads;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Answers every request with the same bytes and does nothing else: what clients, the kernel and so
 * many event loops can do at all.
 */
@Command(name = "answer-server", hidden = true)
public final class AnswerServer implements Callable<Integer> {
  private static final int HEAD_END = '\r' << 24 | '\n' << 16 | '\r' << 8 | '\n';

  @Parameters(index = "0")
  private int port;

  @Parameters(index = "1")
  private int eventLoops;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "2", description = "Where the answer's bytes are got from, once.")
  private URI from;

  @Override
  public Integer call() throws Exception {
    byte[] bytes = NewestAnswer.get(from);
    String head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: "
            + bytes.length
            + "\r\n\r\n";
    ByteBuf answer = Unpooled.directBuffer();
    answer.writeCharSequence(head, StandardCharsets.US_ASCII);
    answer.writeBytes(bytes);
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(eventLoops, EpollIoHandler.newFactory());
    new ServerBootstrap()
        .group(loops)
        .channel(EpollServerSocketChannel.class)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new Heads(answer));
              }
            })
        .bind("127.0.0.1", port)
        .sync()
        .channel()
        .closeFuture()
        .sync();
    return 0;
  }

  /** Answers at the end of each head; requests have no bodies. */
  private static final class Heads extends ByteToMessageDecoder {
    private final ByteBuf answer;
    private int last;

    Heads(ByteBuf answer) {
      this.answer = answer;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      while (in.isReadable()) {
        last = last << 8 | in.readUnsignedByte();
        if (last == HEAD_END) {
          context.writeAndFlush(answer.retainedDuplicate());
        }
      }
    }
  }
}
