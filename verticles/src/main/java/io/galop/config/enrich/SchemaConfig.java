package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Checks the data of each record against a JSON Schema. */
@Brick("schema")
@Doc("Checks data against a JSON Schema; a record that breaks it becomes a dead letter.")
public record SchemaConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics,
    @Doc("The schema's file, JSON: draft 2020-12, or the one that $schema names.") String file,
    @Doc("How often the file is checked for changes; 0 never.")
        @Default("5000")
        @Range(min = 0, max = 86_400_000)
        long refreshMs)
    implements EnricherConfig {
  public SchemaConfig {
    topics = EnricherConfig.checkedTopics(topics);
    EnricherConfig.require("file", file);
  }
}
