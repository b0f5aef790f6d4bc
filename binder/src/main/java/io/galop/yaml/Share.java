package io.galop.yaml;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.management.ManagementFactory;

/**
 * The value of a bound that is not given: a share of the memory of the Java machine that the node
 * runs on, so that a small one is not promised more than it has, up to what is enough for anybody.
 * In place of {@link Default}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Share {
  /** Which memory. */
  Of of() default Of.HEAP;

  /** One of so many equal parts of it. */
  int part();

  /** How many bytes one of what is bounded takes, all shards of a node together. */
  int each() default 1;

  /** It is never more. */
  long atMost();

  /** A memory that Java bounds. */
  enum Of {
    /** {@code -Xmx}. */
    HEAP("the heap"),
    /** {@code -XX:MaxDirectMemorySize}, the heap's size unless given. */
    DIRECT("the memory outside the heap");

    private final String words;

    Of(String words) {
      this.words = words;
    }

    /** How many bytes there are of it at most. */
    public long bytes() {
      long heap = Runtime.getRuntime().maxMemory();
      return this == HEAP ? heap : directBytes(heap);
    }

    /** Netty, which takes most of it, may be given a bound of its own. */
    private static long directBytes(long heap) {
      long ofNetty = Long.getLong("io.netty.maxDirectMemory", 0);
      if (ofNetty > 0) {
        return ofNetty;
      }
      HotSpotDiagnosticMXBean machine =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      long given = Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue());
      return given == 0 ? heap : given;
    }

    public String words() {
      return words;
    }
  }
}
