package io.galop.config;

import java.util.List;

/** What happens to a record before it is stored and shown. */
public record EnrichConfig(
    @Doc("The steps that every record goes through, in this order.") @Default("[]")
        List<EnricherConfig> chain,
    @Doc(
            "Where scripts and tables are looked for first; then in the working directory; scripts"
                + " at last among those that come with Galop.")
        @Default(".")
        String directory,
    @Doc(
            "How many raw ids are remembered for each shard to recognise a record that is sent"
                + " again; 28 to 36 bytes each, taken as they come.")
        @Share(part = 16, each = 576, atMost = 262_144)
        @Range(min = 1024, max = 67_108_864)
        int rememberedIds,
    @Doc(
            "How many bytes of each shard may have been taken and not yet be acknowledged, or still"
                + " be under way to a node that does not answer; beyond, a Batch is refused and its"
                + " sender tries again.")
        @Share(part = 256, atMost = 8_388_608)
        @Range(min = 65_536, max = 1_073_741_824)
        int maxPendingBytes,
    @Doc(
            "How many bytes of enriched records that could not be stored are kept for each shard"
                + " until they are sent again; beyond, the oldest is given up, so that it is"
                + " enriched anew if it comes again.")
        @Share(part = 512, atMost = 4_194_304)
        @Range(min = 65_536, max = 1_073_741_824)
        int maxUnsettledBytes) {
  public EnrichConfig {
    chain = List.copyOf(chain);
  }
}
