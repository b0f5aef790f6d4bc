package io.galop;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;

/**
 * What is printed in some threads and read in another one, so many bytes behind at most: who prints
 * more waits. Other than with the pipes of the JDK it is of no meaning which threads print, and
 * whether they live on.
 */
final class LinePipe {
  private final byte[] ring;
  private int first;
  private int held;
  private boolean isEnded;
  private boolean isAbandoned;

  /**
   * @param bytes how many are held at most
   */
  LinePipe(int bytes) {
    this.ring = new byte[bytes];
  }

  /** To print into; closing it ends what is read. */
  OutputStream to() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] from, int at, int length) throws IOException {
        put(from, at, length);
      }

      @Override
      public void close() {
        end();
      }
    };
  }

  /** To read from; closing it lets printing fail. */
  InputStream from() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
      }

      @Override
      public int read(byte[] to, int at, int length) throws IOException {
        return take(to, at, length);
      }

      @Override
      public int available() {
        return held();
      }

      @Override
      public void close() {
        abandon();
      }
    };
  }

  private synchronized void put(byte[] from, int at, int length) throws IOException {
    int next = at;
    while (next < at + length) {
      while (held == ring.length && !isAbandoned) {
        await();
      }
      if (isAbandoned) {
        throw new IOException("nobody reads any more");
      }
      int begin = (first + held) % ring.length;
      int end = begin < first ? first : ring.length;
      int copied = Math.min(at + length - next, end - begin);
      System.arraycopy(from, next, ring, begin, copied);
      next += copied;
      held += copied;
      notifyAll();
    }
  }

  private synchronized int take(byte[] to, int at, int length) throws IOException {
    while (held == 0 && !isEnded && length > 0) {
      await();
    }
    if (held == 0 && length > 0) {
      return -1;
    }
    int copied = Math.min(length, Math.min(held, ring.length - first));
    System.arraycopy(ring, first, to, at, copied);
    first = (first + copied) % ring.length;
    held -= copied;
    notifyAll();
    return copied;
  }

  private synchronized int held() {
    return held;
  }

  private synchronized void end() {
    isEnded = true;
    notifyAll();
  }

  private synchronized void abandon() {
    isAbandoned = true;
    notifyAll();
  }

  private void await() throws IOException {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the other side");
    }
  }
}
