package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;
import java.util.Map;

/** Hands records to a script's function {@code enrich(record, state)}. */
@Brick("script")
@Doc("Calls enrich(record, state) of a [script](scripts.md).")
public record ScriptConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics,
    @Doc("The script: beside the configuration, absolute, or a shipped one.") String file,
    @Doc("Passed to the script's init(settings).") @Default("{}") Map<String, String> settings,
    @Doc("Statements per call.") @Default("1000000") @Range(min = 1_000, max = 10_000_000_000L)
        long maxStatements,
    @Doc("Time limit of a call.") @Default("1000") @Range(min = 10, max = 60_000) long timeLimitMs,
    @Doc("Records that a call may return.") @Default("1000") @Range(min = 1, max = 100_000)
        int maxOutputs,
    @Doc("Largest data of a returned record.") @Default("65536") @Range(min = 16, max = 16_777_216)
        int maxOutputBytes,
    @Doc("Topics with state.") @Default("100000") @Range(min = 1, max = 10_000_000)
        int maxStateTopics,
    @Doc("State of one topic; beyond, the call fails.")
        @Default("1048576")
        @Range(min = 1_024, max = 1_073_741_824)
        long maxTopicStateBytes,
    @Doc("Memory that a call may allocate.")
        @Default("268435456")
        @Range(min = 1_048_576, max = 68_719_476_736L)
        long maxAllocatedBytes,
    @Doc("How often the file is checked; 0 never.")
        @Default("1000")
        @Range(min = 0, max = 86_400_000)
        long watchMs,
    @Doc("The trial of a new version.") ShadowConfig shadow,
    @Doc("When the script is suspended, so that no record waits for it.") BreakerConfig breaker)
    implements EnricherConfig {
  public ScriptConfig {
    topics = EnricherConfig.checkedTopics(topics);
    EnricherConfig.require("file", file);
    settings = Map.copyOf(settings);
  }

  /** The same step with its script in another file. */
  public ScriptConfig withFile(String other) {
    return new ScriptConfig(
        topics,
        other,
        settings,
        maxStatements,
        timeLimitMs,
        maxOutputs,
        maxOutputBytes,
        maxStateTopics,
        maxTopicStateBytes,
        maxAllocatedBytes,
        watchMs,
        shadow,
        breaker);
  }
}
