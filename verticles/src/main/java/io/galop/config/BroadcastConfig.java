package io.galop.config;

/** Showing records to browsers. */
public record BroadcastConfig(
    @Doc("Longest topic filter that a browser may register, in bytes.")
        @Default("256")
        @Range(min = 1, max = 4096)
        int maxFilterBytes) {}
