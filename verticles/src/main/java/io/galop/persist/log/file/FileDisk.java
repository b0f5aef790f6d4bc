package io.galop.persist.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The real file system. */
public final class FileDisk implements Disk {

  @Override
  public SegmentFile open(Path file) throws IOException {
    return new ChannelFile(
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  /** Opens a file that is there, only to read. */
  public static SegmentFile openToRead(Path file) throws IOException {
    return new ChannelFile(FileChannel.open(file, StandardOpenOption.READ));
  }

  @Override
  public SegmentFile create(Path file) throws IOException {
    return new ChannelFile(
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long usableBytes(Path directory) throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  private record ChannelFile(FileChannel channel) implements SegmentFile {
    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      long next = at;
      while (from.hasRemaining()) {
        next += channel.write(from, next);
      }
    }

    @Override
    public void read(ByteBuffer to, long at) throws IOException {
      long next = at;
      while (to.hasRemaining()) {
        int count = channel.read(to, next);
        if (count < 0) {
          return;
        }
        next += count;
      }
    }

    /** Without the times of the file, which nothing relies on: segments do not change in size. */
    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
