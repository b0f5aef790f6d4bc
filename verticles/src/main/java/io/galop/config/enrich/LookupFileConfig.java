package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Doc;

/** A file that is read whole. */
@Brick("file")
@Doc("A CSV file, read whole at start and after changes.")
public record LookupFileConfig() implements LookupSourceConfig {}
