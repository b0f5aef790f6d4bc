package io.galop.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.stream.ChunkedInput;

/**
 * Stands between Vert.x and TLS, and makes bytes of files. Where Vert.x finds TLS it gives a file
 * away in pieces, for a handler that it adds only before a TLS of its own; by its name and its
 * place that handler cannot be here. The files are the page's: small, and in the system's cache.
 */
final class FileBytes extends ChannelOutboundHandlerAdapter {
  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof ChunkedInput<?> file) {
      writeAll(context, file, promise);
    } else {
      context.write(message, promise);
    }
  }

  private static void writeAll(
      ChannelHandlerContext context, ChunkedInput<?> file, ChannelPromise promise)
      throws Exception {
    CompositeByteBuf bytes = context.alloc().compositeBuffer(Integer.MAX_VALUE);
    try {
      while (!file.isEndOfInput()) {
        if (!(file.readChunk(context.alloc()) instanceof ByteBuf piece)) {
          throw new IllegalStateException("a file gives no bytes before its end");
        }
        bytes.addComponent(true, piece);
      }
      context.write(bytes.retain(), promise);
    } catch (Exception e) {
      promise.tryFailure(e);
    } finally {
      bytes.release();
      file.close();
    }
  }
}
