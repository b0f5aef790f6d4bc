package io.galop.config;

/** Records over HTTP. */
public record HttpDoorConfig(
    @Doc("Largest body of a request as it is sent, in bytes.")
        @Default("8388608")
        @Range(min = 1024, max = 1_073_741_824)
        int maxBodyBytes,
    @Doc("Largest body of a request once it is unpacked, in bytes.")
        @Default("33554432")
        @Range(min = 1024, max = 1_073_741_824)
        int maxInflatedBytes,
    @Doc("How many times larger than sent a packed body may become.")
        @Default("100")
        @Range(min = 2, max = 1032)
        int maxInflateRatio) {}
