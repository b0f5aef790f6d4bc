package io.galop.config.enrich;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import io.galop.yaml.Share;
import java.util.List;

/** What happens to a record before it is stored and shown. */
public record EnrichConfig(
    @Doc("The steps for every record, in order.") @Default("[]") List<EnricherConfig> chain,
    @Doc("Directory of scripts and tables; next come the working directory and Galop's own.")
        @Default(".")
        String directory,
    @Doc("Raw ids remembered per shard, 28 to 36 bytes each.")
        @Share(part = 16, each = 576, atMost = 262_144)
        @Range(min = 1024, max = 67_108_864)
        int rememberedIds,
    @Doc("Unacknowledged bytes per shard; beyond, Batches are refused and retried.")
        @Share(part = 256, atMost = 8_388_608)
        @Range(min = 65_536, max = 1_073_741_824)
        int maxPendingBytes,
    @Doc("Enriched but unstored bytes per shard; beyond, a retry enriches the oldest again.")
        @Share(part = 512, atMost = 4_194_304)
        @Range(min = 65_536, max = 1_073_741_824)
        int maxUnsettledBytes,
    @Doc(
            "State of all scripts, in equal parts; beyond, the least recently called topics are"
                + " forgotten.")
        @Share(part = 8, atMost = 1_073_741_824)
        @Range(min = 1_048_576, max = 68_719_476_736L)
        long maxStateBytes) {
  public EnrichConfig {
    chain = List.copyOf(chain);
  }
}
