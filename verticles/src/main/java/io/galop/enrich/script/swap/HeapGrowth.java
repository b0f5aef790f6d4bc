package io.galop.enrich.script.swap;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By how much the heap has grown, as each garbage collection leaves it behind. What is retained
 * cannot be told apart by script in one JVM: this is of the whole process.
 */
final class HeapGrowth implements NotificationListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeapGrowth.class);
  private long firstBytes = -1;
  private long lastBytes = -1;
  private int collections;

  HeapGrowth() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).addNotificationListener(this, null, null);
    }
  }

  @Override
  public void handleNotification(Notification notification, Object handback) {
    if (notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      GarbageCollectionNotificationInfo info =
          GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
      long bytes = 0;
      for (var pool : info.getGcInfo().getMemoryUsageAfterGc().entrySet()) {
        bytes += isHeap(pool.getKey()) ? used(pool.getValue()) : 0;
      }
      onCollection(bytes);
    }
  }

  /** Pools of classes and code are no heap. */
  private static boolean isHeap(String pool) {
    return !pool.contains("Metaspace") && !pool.contains("Code") && !pool.contains("Class Space");
  }

  private static long used(MemoryUsage usage) {
    return usage.getUsed();
  }

  private synchronized void onCollection(long bytes) {
    firstBytes = firstBytes < 0 ? bytes : Math.min(firstBytes, bytes);
    lastBytes = bytes;
    collections++;
  }

  /** Bytes since the smallest heap that was seen; 0 before the second collection. */
  synchronized long bytes() {
    return lastBytes - firstBytes;
  }

  /** Whether there were collections enough to tell. */
  synchronized boolean isKnown() {
    return collections >= 2;
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      try {
        ((NotificationEmitter) collector).removeNotificationListener(this);
      } catch (ListenerNotFoundException e) {
        LOG.debug("was not listening to {}", collector.getName());
      }
    }
  }
}
