package io.galop.enrich.script.swap;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the running thread has used since it began. */
final class Usage {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Usage() {}

  /** Memory, in bytes, whether or not it is still in use. */
  static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** The same of another thread, by its id. */
  static long allocatedBytes(long thread) {
    return THREADS.getThreadAllocatedBytes(thread);
  }

  /** Processor time, in nanoseconds; waiting for a processor is not counted. */
  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
