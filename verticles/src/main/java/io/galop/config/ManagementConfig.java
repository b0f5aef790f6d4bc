package io.galop.config;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;

/** The port for operators. */
public record ManagementConfig(
    @Doc("The address to listen on.") @Default("127.0.0.1") String host,
    @Doc("The port; 0 takes a free one.") @Default("9090") @Range(min = 0, max = 65535) int port) {}
