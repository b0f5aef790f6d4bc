package io.galop.config.persist;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** The way of records from the owners of shards to the broadcast nodes. */
public record FeedConfig(
    @Doc("Unanswered bytes per broadcast node and event loop.")
        @Default("4194304")
        @Range(min = 65_536, max = 268_435_456)
        int creditBytes) {}
