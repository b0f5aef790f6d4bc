/**
 * Mappings: scripts that are rules in YAML with expressions in CEL. {@code MappingFile} compiles a
 * file into {@code Rule}s, {@code MappingScript} runs them on records, with a {@code MappingCall}
 * for each. Everything runs on the thread of the script, never on an event loop.
 */
@NullMarked
package io.galop.enrich.script.mapping;

import org.jspecify.annotations.NullMarked;
