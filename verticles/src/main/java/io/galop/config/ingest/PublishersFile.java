package io.galop.config.ingest;

import io.galop.yaml.Binder;
import io.galop.yaml.ConfigException;
import io.galop.yaml.Doc;
import io.galop.yaml.Problems;
import io.galop.yaml.Value;
import io.galop.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file of its own with publishers, so that they can change while the node runs. */
public record PublishersFile(@Doc("The publishers.") List<PublisherConfig> publishers) {
  private static final String KEY = "ingest.publishersFile: '%s': ";

  public PublishersFile {
    publishers = List.copyOf(publishers);
  }

  /**
   * Reads one; blocks.
   *
   * @throws ConfigException with everything that is wrong with the file, each with its line
   */
  public static List<PublisherConfig> read(String file) {
    Problems problems = new Problems();
    try {
      String text = Files.readString(Path.of(file));
      Value written = Yaml.readFile(text, file, problems);
      problems.refuse();
      PublishersFile bound = new Binder(problems).bind(PublishersFile.class, written);
      problems.refuse();
      return bound.publishers();
    } catch (IOException e) {
      throw new ConfigException(List.of(KEY.formatted(file) + "it cannot be read"));
    } catch (ConfigException e) {
      throw new ConfigException(
          e.problems().stream().map(problem -> KEY.formatted(file) + problem).toList());
    }
  }
}
