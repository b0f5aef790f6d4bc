package io.galop.bus.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** A ring's file, mapped and locked by one of its two sides. */
final class RingFile implements AutoCloseable {
  private static final int NODE_LOCK = 0;
  private static final int PRODUCER_LOCK = 1;
  private static final int FILL_BYTES = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final MappedByteBuffer map;
  private final RingSizes sizes;
  final UnsafeBuffer header;
  final RingMemory records;
  final RingMemory answers;

  private RingFile(Path path, FileChannel channel, RingSizes sizes) throws IOException {
    this.path = path;
    this.channel = channel;
    this.sizes = sizes;
    int capacity = sizes.capacityBytes();
    int answersCapacity = RingLayout.ANSWERS_CAPACITY;
    long bytes = RingLayout.fileBytes(capacity, answersCapacity);
    this.map = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    this.header = new UnsafeBuffer(map, 0, RingLayout.HEADER_BYTES);
    this.records = part(RingLayout.HEADER_BYTES, capacity);
    this.answers = part(RingLayout.answersAt(capacity), answersCapacity);
  }

  private RingMemory part(int at, int capacity) {
    int bytes = capacity + RingBufferDescriptor.TRAILER_LENGTH;
    return new RingMemory(path, new UnsafeBuffer(map, at, bytes));
  }

  /** For the node: makes the file where there is none, and empties what outlived the machine. */
  static RingFile serve(Path path, RingSizes sizes) throws IOException {
    if (!Files.exists(path)) {
      create(path, sizes);
    }
    String wrong = sizes.wrong(path).orElse("");
    if (!wrong.isEmpty()) {
      throw new RingException(wrong);
    }
    RingFile file = open(path, sizes, NODE_LOCK, "another node reads the ring " + path);
    if (file.header.getLong(RingLayout.BOOT_ID_AT) != Boot.id()) {
      file.records.empty();
      file.answers.empty();
      file.header.putLong(RingLayout.BOOT_ID_AT, Boot.id());
    }
    file.answers.cutTail();
    return file;
  }

  /** For a producer. */
  static RingFile attach(Path path) throws IOException {
    RingSizes sizes;
    try {
      sizes = RingSizes.of(path);
    } catch (NoSuchFileException e) {
      throw new RingException(
          "no ring at %s; a node with this path in ingest.ring.paths makes it".formatted(path));
    }
    RingFile file =
        open(path, sizes, PRODUCER_LOCK, "another producer has the ring %s open".formatted(path));
    if (file.header.getLong(RingLayout.BOOT_ID_AT) != Boot.id()) {
      file.close();
      throw new RingException(
          "no node has opened the ring %s since the machine was started; start it first"
              .formatted(path));
    }
    file.records.cutTail();
    return file;
  }

  private static RingFile open(Path path, RingSizes sizes, int lockAt, String taken)
      throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (lock(channel, lockAt) == null) {
        throw new RingException(taken);
      }
      return new RingFile(path, channel, sizes);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static FileLock lock(FileChannel channel, int at) throws IOException {
    try {
      return channel.tryLock(at, 1, false);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Under another name first, so that nobody sees half a header. */
  private static void create(Path path, RingSizes sizes) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    Files.createDirectories(directory);
    // Java makes such a file for its own user alone.
    Path draft = Files.createTempFile(directory, path.getFileName().toString(), ".new");
    try (FileChannel channel =
        FileChannel.open(draft, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      fill(channel, RingLayout.fileBytes(sizes.capacityBytes(), RingLayout.ANSWERS_CAPACITY));
      RingFile file = new RingFile(draft, channel, sizes);
      file.header.putInt(RingLayout.VERSION_AT, RingLayout.VERSION);
      file.header.putInt(RingLayout.MAX_MESSAGE_AT, sizes.maxMessageBytes());
      file.header.putInt(RingLayout.CAPACITY_AT, sizes.capacityBytes());
      file.header.putInt(RingLayout.ANSWERS_CAPACITY_AT, RingLayout.ANSWERS_CAPACITY);
      file.header.putLong(RingLayout.RING_ID_AT, new SecureRandom().nextLong() >>> 1);
      file.header.putLong(RingLayout.BOOT_ID_AT, Boot.id());
      file.header.putLong(RingLayout.MAGIC_AT, RingLayout.MAGIC);
      BufferUtil.free(file.map);
      Files.move(draft, path);
    } catch (FileAlreadyExistsException e) {
      Files.delete(draft); // another node was quicker
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw new RingException("the ring " + path + " cannot be made: " + e.getMessage());
    }
  }

  /** Takes the room now: a write to a mapped page that the disk has none for ends the process. */
  private static void fill(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_BYTES);
    for (long at = 0; at < bytes; at += zeros.capacity()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
      while (zeros.hasRemaining()) {
        channel.write(zeros);
      }
    }
  }

  RingSizes sizes() {
    return sizes;
  }

  /** Takes the memory away: nobody may use it any more. */
  @Override
  public void close() throws IOException {
    BufferUtil.free(map);
    channel.close();
  }
}
