package io.galop.loadtest.run;

import io.galop.yaml.Doc;
import java.util.List;

/** One of several ways to start the nodes' JVMs. */
public record Variant(
    @Doc("Its name in the table.") String name,
    @Doc("Flags of the nodes' JVMs, besides those of `start`.") List<String> jvmFlags) {}
