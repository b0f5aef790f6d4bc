package io.galop.config.alarm;

import io.galop.yaml.Brick;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** A topic of which nothing comes. */
@Brick("silence")
@Doc("A topic that was heard of, or is named without wildcards, has no record for so long.")
public record SilenceConfig(
    @Doc("For so long.") @Range(min = 1_000, max = 604_800_000) long silentMs)
    implements AlarmConditionConfig {}
