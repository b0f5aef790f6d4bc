package io.galop.broadcast.sockjs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of one connection go. As long as nothing waits they are handed to the socket
 * itself: then they cost one system call, no object and no pass through the channel, whose lists of
 * what waits cost the garbage collector as much as everything else costs us. What the socket does
 * not take goes through the channel. All on the channel's event loop.
 */
public final class SocketWriter {
  private final ChannelHandlerContext out;

  /** Kept at hand: the way to it leads over four objects that no cache has. */
  private final ByteBufAllocator allocator;

  private final Channel.Unsafe channel;

  /** Null where the channel is closed. */
  private final @Nullable ChannelOutboundBuffer waiting;

  /** Null where bytes have to pass TLS or whatever else, or where the transport is not epoll. */
  private final @Nullable Socket socket;

  /** How many writes have gone through the channel and have not left; counts where sockets do. */
  private int passing;

  /**
   * @param out on whose way to the network no frames are made any more
   */
  public SocketWriter(ChannelHandlerContext out) {
    this.out = out;
    this.allocator = out.alloc();
    this.channel = out.channel().unsafe();
    this.waiting = channel.outboundBuffer();
    this.socket = hasNothingBefore(out) ? socketOf(out.channel()) : null;
    if (waiting != null && waiting.totalPendingWriteBytes() > 0) {
      pass(Unpooled.EMPTY_BUFFER);
    }
  }

  private static boolean hasNothingBefore(ChannelHandlerContext out) {
    Iterator<Map.Entry<String, ChannelHandler>> handlers = out.pipeline().iterator();
    for (Object handler = handlers.next().getValue();
        handler != out.handler();
        handler = handlers.next().getValue()) {
      if (handler instanceof ChannelOutboundHandler) {
        return false;
      }
    }
    return true;
  }

  /** By name, since this is built without the native part. io_uring's sockets may block. */
  private static @Nullable Socket socketOf(Channel channel) {
    boolean isEpoll = channel.getClass().getPackageName().endsWith(".epoll");
    return isEpoll && channel instanceof UnixChannel unix && unix.fd() instanceof Socket socket
        ? socket
        : null;
  }

  public ChannelHandlerContext out() {
    return out;
  }

  public ByteBufAllocator allocator() {
    return allocator;
  }

  /** Bounds what the operating system keeps of the bytes that have not been sent. */
  public void limitSocket(int bytes) {
    SendBuffer.limit(out.channel(), bytes);
  }

  /**
   * Whether the connection is open and all that was written has left this process. The socket of a
   * closed one must not be touched, since its number may be another connection's by now.
   */
  public boolean hasNothingWaiting() {
    if (socket != null) {
      return passing == 0 && socket.isOpen();
    }
    boolean isOpen = channel.outboundBuffer() != null;
    return isOpen && waiting != null && waiting.totalPendingWriteBytes() == 0;
  }

  /**
   * Writes bytes, which are given away, after all that waits: the only way beside {@link #write}.
   */
  public ChannelFuture pass(ByteBuf bytes) {
    passing++;
    return out.writeAndFlush(bytes).addListener(left -> passing--);
  }

  /**
   * Writes bytes that may be written to others as well.
   *
   * @return null if all of them have left; else what tells when they have
   */
  public @Nullable ChannelFuture write(ByteBuf shared) {
    if (!hasNothingWaiting() || socket != null && !shared.hasMemoryAddress()) {
      return pass(shared.retainedDuplicate()); // what an EventSource begins with is on the heap
    }
    return socket == null ? writeToChannel(shared) : writeToSocket(socket, shared);
  }

  private @Nullable ChannelFuture writeToSocket(Socket to, ByteBuf shared) {
    int sent;
    try {
      sent = to.sendAddress(shared.memoryAddress(), shared.readerIndex(), shared.writerIndex());
    } catch (IOException broken) {
      out.close();
      return out.newFailedFuture(broken);
    }
    int left = shared.readableBytes() - sent;
    return left == 0 ? null : pass(shared.retainedSlice(shared.readerIndex() + sent, left));
  }

  /** Bytes leave in their order: nothing, written after something, tells when that has left. */
  private @Nullable ChannelFuture writeToChannel(ByteBuf shared) {
    out.writeAndFlush(shared.retainedDuplicate(), out.voidPromise());
    return hasNothingWaiting() ? null : out.writeAndFlush(Unpooled.EMPTY_BUFFER);
  }
}
