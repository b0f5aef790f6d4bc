package io.galop.config;

/** The parts of docs/configuration.md that are not about one key. */
final class ConfigDocText {
  static final String INTRODUCTION =
      """
      # Configuration

      <!-- Made from the records in io.galop.config; after a change there, regenerate it with
           mvn -q -pl verticles -am test -Dtest=ConfigDocTest -Dgalop.update.docs=true -->

      Without configuration a node runs alone with every role, keeps its files under `./data` and listens
      on loopback only. Later sources override earlier ones:

      1. the defaults below;
      2. the command's own settings (such as those of `demo`);
      3. the file: `--config FILE`;
      4. environment variables, for keys outside lists and maps: `GALOP_INGEST_LIMITS_MAX_DATA_BYTES` for
         `ingest.limits.maxDataBytes`;
      5. `--set key=value`, repeatable: `--set http.port=0 --set node.roles=[broadcast]`.

      Galop merges sections and maps key by key and replaces whole lists. In a variable or after
      `--set`, text needs no quotes, a list of words is `a,b`, and anything bigger is YAML on one line:
      `--set 'enrich.chain=[drop]'`.

      The file is YAML 1.2 in UTF-8. Any mistake, also a `GALOP_` variable without a key, stops the start
      with exit code 2. Galop reports each with its path, the allowed values, and the line or variable.
      A file that is empty or has comments only is refused: write `{}` into it if you want the defaults.
      `galop check FILE` only checks.

      Parentheses give the allowed values, then the default. A range such as 1–1024 is for whole numbers.
      A brick is a map with one key, its name, and the keys below it; without keys, the name is enough. A
      step of `enrich.chain` passes records of other topics unchanged.
      """;

  private ConfigDocText() {}

  static String otherVariables() {
    StringBuilder out = new StringBuilder("\n## Other variables\n\n");
    Variables.OTHERS.forEach(
        (name, what) -> out.append("* `").append(name).append("`: ").append(what).append("\n"));
    return out.toString();
  }
}
