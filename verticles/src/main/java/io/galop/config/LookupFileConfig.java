package io.galop.config;

/** A file that is read whole. */
@Brick("file")
@Doc("A CSV file, read whole at start and after changes.")
public record LookupFileConfig() implements LookupSourceConfig {}
