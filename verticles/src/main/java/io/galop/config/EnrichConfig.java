package io.galop.config;

/** What happens to a record before it is stored and shown. */
public record EnrichConfig(
    @Doc("How many raw ids are remembered to recognise a record that is sent again.")
        @Default("262144")
        @Range(min = 1024, max = 67_108_864)
        int rememberedIds) {}
