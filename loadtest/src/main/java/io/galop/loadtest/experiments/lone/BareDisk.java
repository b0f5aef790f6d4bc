package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.targets.Leavings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The floor: write and fsync in a loop, in a file that has its full size before, as a segment of
 * the Log has. No server is faster on this disk that does the same.
 */
final class BareDisk implements DurableServer {
  private static final int FILE_BYTES = 16 << 20;

  private final Path dir;

  BareDisk() throws IOException {
    this.dir = Leavings.directory();
  }

  @Override
  public String name() {
    return "write + fsync";
  }

  @Override
  public List<Long> pids() {
    return List.of();
  }

  @Override
  public DurableLink connect() throws IOException {
    FileChannel file =
        FileChannel.open(dir.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (file.size() < FILE_BYTES) {
      file.write(ByteBuffer.allocate(FILE_BYTES), 0);
      file.force(true);
    }
    return new Link(file);
  }

  @Override
  public void close() {
    Leavings.delete(dir);
  }

  private static final class Link implements DurableLink {
    private final FileChannel file;
    private long position;
    private long written;
    private long told;

    private Link(FileChannel file) {
      this.file = file;
    }

    @Override
    public void send(String data) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(data.getBytes(StandardCharsets.UTF_8));
      if (position + bytes.remaining() > FILE_BYTES) {
        position = 0;
      }
      position += file.write(bytes, position);
      file.force(false);
      written();
    }

    private synchronized void written() {
      written++;
      notifyAll();
    }

    @Override
    public synchronized long awaitAcknowledged() throws IOException {
      try {
        while (written == told) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      told = written;
      return told;
    }

    @Override
    public Histogram seen() {
      return Latencies.histogram();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
