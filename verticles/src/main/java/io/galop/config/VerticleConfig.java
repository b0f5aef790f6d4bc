package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Words;
import java.util.Map;

/** A verticle of the user's own that the node runs beside its stages. */
public record VerticleConfig(
    @Doc(
            "The language, a colon, and the file or class: js:alarm.js, "
                + "py:alarm.py, groovy:alarm.groovy, kt:alarm.kts, "
                + "java:com.example.Alarm. Galop looks for a file beside the "
                + "configuration, in the working directory, then among its own; for a "
                + "class in the jars of lib.")
        String name,
    @Doc("Instances, each on its own thread; they share the consumed topics.")
        @Default("1")
        @Range(min = 1, max = 64)
        int instances,
    @Doc("Passed to the program: galop.settings, in Java also config().") @Default("{}")
        Map<String, String> settings,
    @Doc(
            "Whether it runs on its own thread; false puts a java: verticle on an "
                + "event loop, which it must never block.")
        @Default("true")
        boolean worker,
    @Doc("Bytes of records that may wait for one handler of galop.consume.")
        @Default("8388608")
        @Range(min = 65_536, max = 1_073_741_824)
        int maxWaitingBytes,
    @Doc("Which records are dropped beyond that; Galop counts them and tells the program.")
        @Default("drop-oldest")
        Overflow overflow,
    @Doc(
            "Unacknowledged bytes that one instance may have published; more are "
                + "refused at once and counted, and the program is told.")
        @Default("4194304")
        @Range(min = 65_536, max = 1_073_741_824)
        int maxInFlightBytes,
    @Doc("How long it may take to stop; then it is cut off.")
        @Default("5000")
        @Range(min = 100, max = 60_000)
        long stopTimeoutMs) {

  /** What becomes of records for which there is no room. */
  public enum Overflow {
    /** Those that have waited longest give way: what is handled is fresh. */
    DROP_OLDEST,
    /** Those that come are left out: what is handled is without a hole up to there. */
    DROP_NEWEST;

    /** As it is written in the configuration and in meters. */
    public String word() {
      return Words.of(this);
    }
  }

  public VerticleConfig {
    settings = Map.copyOf(settings);
    if (!name.matches("[a-z]+:\\S.*")) {
      throw new IllegalArgumentException(
          "name must be a language and a file or class, as js:alarm.js, not '" + name + "'");
    }
    if (!worker && !name.startsWith("java:")) {
      throw new IllegalArgumentException(
          "worker must be true except for java: verticles; a script is never run on an event loop");
    }
  }

  /** The language's prefix. */
  public String prefix() {
    return name.substring(0, name.indexOf(':'));
  }

  /** The file or class. */
  public String target() {
    return name.substring(name.indexOf(':') + 1);
  }
}
