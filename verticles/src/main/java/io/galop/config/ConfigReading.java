package io.galop.config;

/**
 * A configuration as it was read.
 *
 * @param isEmpty whether there is a file that says nothing: it is empty, or has comments only
 * @param name of the file or text in messages; empty without one
 */
public record ConfigReading(GalopConfig config, boolean isEmpty, String name) {}
