package io.galop.config;

/** The parts of docs/configuration.md that are not about one key. */
final class ConfigDocText {
  static final String INTRODUCTION =
      """
      # Configuration

      <!-- Made from the records in io.galop.config; after a change there, regenerate it with
           mvn -q -pl verticles test -Dtest=ConfigDocTest -Dgalop.update.docs=true -->

      Without configuration a node runs alone with every role, keeps its files under `./data` and listens
      on loopback only. Configure it with one YAML file, environment variables and the command line. Later
      sources override earlier ones:

      1. the defaults below;
      2. the command's own settings (such as those of `demo`);
      3. the file: `--config FILE`;
      4. environment variables, for all keys outside lists and maps: `GALOP_` and the key's path in capitals,
         with `_` between words, such as `GALOP_INGEST_LIMITS_MAX_DATA_BYTES` for `ingest.limits.maxDataBytes`;
      5. `--set key=value`, repeatable: `--set http.port=0 --set node.roles=[broadcast]`.

      Galop merges sections and maps key by key and replaces lists as a whole. In a variable or after
      `--set`, text needs no quotes, a list of words is `a,b` or `[a, b]`, and anything bigger is YAML
      on one line: `--set 'enrich.chain=[drop]'`.

      The file is YAML 1.2 in UTF-8: one document, without tags. Unknown or repeated keys, values of the
      wrong type or out of range, and `GALOP_` variables without a key stop the start with exit code 2.
      Galop reports each problem with its path, the allowed values, and the line or variable.
      `galop check FILE` only checks.

      Parentheses give the allowed values, then the default. A range such as 1 to 1024 is for whole numbers.
      Names contain the unit (`Ms`, `Bytes`, `Seconds`). A brick is a map with one key, the brick's name,
      and the brick's own keys below it; without keys, its name is enough.
      """;

  private ConfigDocText() {}

  static String otherVariables() {
    StringBuilder out = new StringBuilder("\n## Other variables\n\n");
    Variables.OTHERS.forEach(
        (name, what) -> out.append("* `").append(name).append("`: ").append(what).append("\n"));
    return out.toString();
  }
}
