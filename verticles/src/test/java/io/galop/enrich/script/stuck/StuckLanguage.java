package io.galop.enrich.script.stuck;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.enrich.script.StateMap;
import io.galop.guest.SourceFile;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A language in which a record with {@code "v":"hang"} hangs for ever, whatever is done to it, and
 * each record does in a script that says {@code hangs}; others throw what no script should.
 */
public final class StuckLanguage implements ScriptLanguage {
  /** Whether loading hangs, for as long as this is true. */
  public static volatile boolean loadsHang;

  @Override
  public String name() {
    return "Stuck";
  }

  @Override
  public String suffix() {
    return ".stuck";
  }

  @Override
  public LoadedScript load(SourceFile file, ScriptConfig config, ScriptWatchdog watchdog) {
    if (file.text().contains("broken")) {
      throw new AssertionError("the compiler is broken");
    }
    while (loadsHang) {
      LockSupport.parkNanos(1_000_000);
    }
    return new Loaded(file.text().contains("hangs"));
  }

  private record Loaded(boolean hangs) implements LoadedScript {
    @Override
    public void init(Map<String, Object> settings) {}

    @Override
    public Object enrich(ScriptRecord record, StateMap state) {
      if (String.valueOf(record.getData()).contains("memory")) {
        throw new OutOfMemoryError("Java heap space");
      }
      if (String.valueOf(record.getData()).contains("link")) {
        throw new NoClassDefFoundError("Gone");
      }
      while (hangs || String.valueOf(record.getData()).contains("hang")) {
        LockSupport.parkNanos(1_000_000);
      }
      return record;
    }

    @Override
    public boolean isUsable() {
      return true;
    }

    @Override
    public void close() {}
  }
}
