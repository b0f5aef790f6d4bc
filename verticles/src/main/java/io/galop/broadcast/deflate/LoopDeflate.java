package io.galop.broadcast.deflate;

import io.galop.config.broadcast.BroadcastConfig;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What the websockets of one event loop compress with, in both directions. On that loop.
 *
 * @param out what they are sent
 * @param in what they say
 */
public record LoopDeflate(FrameDeflater out, MessageInflater in) implements AutoCloseable {
  /** Null where nothing is to be compressed. */
  public static @Nullable LoopDeflate of(BroadcastConfig config, MeterRegistry meters) {
    return config.compression() == BroadcastConfig.Compression.SHARED ? shared(meters) : null;
  }

  static LoopDeflate shared(MeterRegistry meters) {
    return new LoopDeflate(
        new FrameDeflater(new DeflateMeters(meters), FrameDeflater.LEVEL, System::nanoTime),
        new MessageInflater());
  }

  /** Gives back the memory that the garbage collector does not see, when the viewers have left. */
  @Override
  public void close() {
    out.end();
    in.end();
  }
}
