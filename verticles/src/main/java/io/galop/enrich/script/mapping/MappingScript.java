package io.galop.enrich.script.mapping;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.JsonNodes;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.PlainFunction;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptRecord;
import io.galop.enrich.script.ScriptWatchdog;
import io.galop.enrich.script.StateMap;
import io.galop.expression.CelList;
import io.galop.expression.CelMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mapping that is loaded. */
final class MappingScript implements LoadedScript {
  /** Data is read into what expressions can use at once. */
  private static final JsonNodes NODES =
      new JsonNodes() {
        @Override
        public Map<String, @Nullable Object> object() {
          return CelMap.frozen();
        }

        @Override
        public List<@Nullable Object> array() {
          return new CelList();
        }
      };

  private static final Logger LOG = LoggerFactory.getLogger(MappingScript.class);

  private final MappingFile file;
  private final ScriptConfig config;
  private final ScriptWatchdog watchdog;
  private CelMap settings = CelMap.frozen();

  /** Of the last call; what it changed can still be taken back. */
  private Optional<StateWrites> lastWrites = Optional.empty();

  MappingScript(MappingFile file, ScriptConfig config, ScriptWatchdog watchdog) {
    this.file = file;
    this.config = config;
    this.watchdog = watchdog;
  }

  @Override
  public JsonNodes nodes() {
    return NODES;
  }

  @Override
  public void init(Map<String, @Nullable Object> given) throws ScriptFailure {
    settings = file.settings(given);
    MappingCall call = new MappingCall(config, Map.of());
    call.set("settings", settings);
    for (StateRules.Bound bound : file.bounds()) {
      bound.most(call);
    }
  }

  @Override
  public @Nullable Object enrich(ScriptRecord record, StateMap state) throws ScriptFailure {
    MappingCall call = new MappingCall(config, state);
    lastWrites = Optional.of(call.writes());
    call.set("topic", record.getTopic());
    call.set("id", record.getId());
    call.set("time", record.getTimeUs());
    call.set("data", record.getData());
    call.set("settings", settings);
    try {
      List<Object> outputs = limited(call);
      state.settleCall(PlainFunction.SAME);
      return outputs;
    } catch (ScriptFailure e) {
      refused(state);
      throw e;
    }
  }

  private List<Object> limited(MappingCall call) throws ScriptFailure {
    watchdog.begin(Thread.currentThread()::interrupt);
    boolean late;
    ScriptFailure failed = null;
    try {
      Rules.runAll(file.rules(), call);
    } catch (ScriptFailure e) {
      failed = e;
    } catch (OutOfMemoryError e) {
      failed = new ScriptFailure("it needs more memory than there is", true);
    } catch (RuntimeException | StackOverflowError e) { // a fault of Galop's, or of CEL's
      LOG.error("the mapping {} broke off", config.file(), e);
      failed = new ScriptFailure("it broke off: " + e);
    } finally {
      late = watchdog.end();
      Thread.interrupted();
    }
    if (late) {
      throw new ScriptFailure("it ran longer than timeLimitMs, " + config.timeLimitMs(), true);
    } else if (failed != null) {
      throw failed;
    }
    return call.outputs();
  }

  @Override
  public void refused(StateMap state) throws ScriptFailure {
    if (lastWrites.isPresent()) {
      lastWrites.get().takeBack();
      lastWrites = Optional.empty();
      state.settleCall(PlainFunction.SAME);
    }
  }

  @Override
  public boolean isUsable() {
    return true;
  }

  @Override
  public void close() {
    lastWrites = Optional.empty();
  }
}
