package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Words;
import java.util.Map;

/** A verticle of the user's own that the node runs beside its stages. */
public record VerticleConfig(
    @Doc("Language, colon, file or class: js:alarm.js, java:com.example.Alarm.") String name,
    @Doc("Instances, each on a thread; they share the consumed topics.")
        @Default("1")
        @Range(min = 1, max = 64)
        int instances,
    @Doc("Passed as galop.settings, in Java also config().") @Default("{}")
        Map<String, String> settings,
    @Doc("Whether it has its own thread; false, for java: only, puts it on an event loop.")
        @Default("true")
        boolean worker,
    @Doc("Bytes of records that wait for a handler.")
        @Default("8388608")
        @Range(min = 65_536, max = 1_073_741_824)
        int maxWaitingBytes,
    @Doc("Which records are dropped beyond that.") @Default("drop-oldest") Overflow overflow,
    @Doc("Unacknowledged bytes that an instance may have published.")
        @Default("4194304")
        @Range(min = 65_536, max = 1_073_741_824)
        int maxInFlightBytes,
    @Doc("Time limit of a stop.") @Default("5000") @Range(min = 100, max = 60_000)
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
