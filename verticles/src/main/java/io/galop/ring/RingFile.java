package io.galop.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/** A ring's file, mapped and locked by one of its two sides. */
final class RingFile implements AutoCloseable {
  private static final int NODE_LOCK = 0;
  private static final int PRODUCER_LOCK = 1;
  private static final int FILL_BYTES = 1 << 20;

  private final Path path;
  private final @Nullable RingLock lock;
  private final MappedByteBuffer map;
  private final RingSizes sizes;
  final UnsafeBuffer header;
  final RingMemory records;
  final RingMemory answers;

  /**
   * Maps a file.
   *
   * @param lock what is held of it; null while nobody else can know it
   */
  private RingFile(Path path, FileChannel channel, @Nullable RingLock lock, RingSizes sizes)
      throws IOException {
    this.path = path;
    this.lock = lock;
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
    RingFile file = open(path, NODE_LOCK, "another node reads the ring " + path, sizes);
    try {
      if (file.header.getLong(RingLayout.BOOT_ID_AT) != Boot.id()) {
        file.beginAnew();
      }
      file.answers.cutTail();
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Empties it. What a power cut left on the disk may be older than what was read: sessions would
   * come again, and with them ids, so the ring is another one from now on.
   */
  private void beginAnew() {
    records.empty();
    answers.empty();
    header.putLong(RingLayout.SETTLED_AT, 0);
    header.putLong(RingLayout.RING_ID_AT, newId());
    header.putLongRelease(RingLayout.BOOT_ID_AT, Boot.id());
  }

  private static long newId() {
    return new SecureRandom().nextLong() >>> 1;
  }

  /** For a producer. */
  static RingFile attach(Path path) throws IOException {
    String taken = "another producer has the ring %s open".formatted(path);
    RingFile file;
    try {
      file = open(path, PRODUCER_LOCK, taken, null);
    } catch (NoSuchFileException e) {
      throw new RingException(
          "no ring at %s; a node with this path in ingest.ring.paths makes it".formatted(path));
    }
    try {
      if (file.header.getLong(RingLayout.BOOT_ID_AT) != Boot.id()) {
        throw new RingException(
            "no node has opened the ring %s since the machine was started; start it first"
                .formatted(path));
      }
      file.records.cutTail();
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Locks one side and maps the file.
   *
   * @param wanted what sizes it must have; null: any
   */
  private static RingFile open(Path path, int side, String taken, @Nullable RingSizes wanted)
      throws IOException {
    RingLock lock = RingLock.take(path, side, taken);
    try {
      RingSizes sizes = RingSizes.of(path, lock.channel());
      if (wanted != null && !wanted.equals(sizes)) {
        throw new RingException(wanted.otherSizes(path, sizes));
      }
      return new RingFile(path, lock.channel(), lock, sizes);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
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
      RingFile file = new RingFile(draft, channel, null, sizes);
      file.header.putInt(RingLayout.VERSION_AT, RingLayout.VERSION);
      file.header.putInt(RingLayout.MAX_MESSAGE_AT, sizes.maxMessageBytes());
      file.header.putInt(RingLayout.CAPACITY_AT, sizes.capacityBytes());
      file.header.putInt(RingLayout.ANSWERS_CAPACITY_AT, RingLayout.ANSWERS_CAPACITY);
      file.header.putLong(RingLayout.RING_ID_AT, newId());
      file.header.putLong(RingLayout.BOOT_ID_AT, Boot.id());
      file.header.putLong(RingLayout.MAGIC_AT, RingLayout.MAGIC);
      BufferUtil.free(file.map);
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw cannotBeMade(path, e);
    }
    publish(draft, path);
  }

  /** Only when the draft is closed: that takes away what locks this process has of the file. */
  private static void publish(Path draft, Path path) throws IOException {
    try {
      Files.move(draft, path);
    } catch (FileAlreadyExistsException e) {
      Files.delete(draft); // another node was quicker
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw cannotBeMade(path, e);
    }
  }

  private static RingException cannotBeMade(Path path, IOException e) {
    return new RingException("the ring " + path + " cannot be made: " + e.getMessage());
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
    if (lock != null) {
      lock.close();
    }
  }
}
