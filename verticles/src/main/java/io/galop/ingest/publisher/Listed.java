package io.galop.ingest.publisher;

import io.galop.config.GalopConfig;
import io.galop.config.PublisherRules;
import io.galop.config.Refusals;
import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.PublisherConfig;
import io.galop.config.ingest.PublishersFile;
import io.galop.socket.SecretFile;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A publisher as configuration and files have it at the moment.
 *
 * @param tokenSha256 of its token, wherever it stands; empty: it has none
 */
record Listed(PublisherConfig config, String tokenSha256) {
  /**
   * Reads all publishers and their tokens; blocks.
   *
   * @throws ConfigException with what is wrong, each a sentence that begins with a dotted path
   */
  static List<Listed> read(GalopConfig config) {
    IngestConfig ingest = config.ingest();
    List<String> problems = new ArrayList<>();
    List<PublisherConfig> publishers = ingest.publishers();
    String path = "ingest.publishers";
    if (!ingest.publishersFile().isEmpty()) {
      publishers = PublishersFile.read(ingest.publishersFile());
      String file = "ingest.publishersFile: '%s': ".formatted(ingest.publishersFile());
      Refusals refusals = (at, rule) -> problems.add(file + at + ": " + rule);
      PublisherRules.check(config, "publishers", publishers, refusals);
      path = file + "publishers";
    }
    List<Listed> all = new ArrayList<>();
    if (ingest.hasToken()) {
      all.add(ofToken(ingest, problems));
    }
    Map<String, String> tokens = new HashMap<>();
    all.forEach(one -> tokens.put(one.tokenSha256, "that of ingest.token"));
    for (int i = 0; i < publishers.size(); i++) {
      String at = path + "[" + i + "]";
      Listed one = of(publishers.get(i), at, problems);
      String other = one.tokenSha256.isEmpty() ? null : tokens.putIfAbsent(one.tokenSha256, at);
      if (other != null) {
        problems.add(at + ": its token must differ from that of " + other);
      }
      all.add(one);
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return all;
  }

  private static Listed ofToken(IngestConfig ingest, List<String> problems) {
    String token =
        ingest.tokenFile().isEmpty()
            ? ingest.token()
            : token("ingest.tokenFile", ingest.tokenFile(), problems);
    String hash = Credential.sha256(token);
    return new Listed(
        new PublisherConfig(PublisherConfig.OF_TOKEN, hash, "", "", "", List.of(), 0, 0, 0), hash);
  }

  private static Listed of(PublisherConfig config, String at, List<String> problems) {
    return config.tokenFile().isEmpty()
        ? new Listed(config, config.tokenSha256())
        : new Listed(
            config, Credential.sha256(token(at + ".tokenFile", config.tokenFile(), problems)));
  }

  private static String token(String path, String file, List<String> problems) {
    try {
      return SecretFile.read(file);
    } catch (IOException e) {
      problems.add(
          "%s must name a file with a token: '%s': %s".formatted(path, file, e.getMessage()));
      return file; // never used: the list is refused
    }
  }
}
