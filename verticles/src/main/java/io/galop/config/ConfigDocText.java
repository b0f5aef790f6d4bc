package io.galop.config;

/** The parts of docs/configuration.md that are not about one key. */
final class ConfigDocText {
  static final String INTRODUCTION =
      """
      # Configuration

      <!-- Made from the records in io.galop.config; after a change there, write it anew with
           mvn -q -pl verticles test -Dtest=ConfigDocTest -Dgalop.update.docs=true -->

      Without any configuration a node is alone, runs every role, keeps its files under `./data` and
      listens on loopback only. Everything else is said in one YAML file, in environment variables
      and on the command line. What comes later in this list wins:

      1. the defaults below;
      2. what the command itself wants (`demo` for one);
      3. the file: `--config FILE`;
      4. variables: the key's path in capitals after `GALOP_`, `http.port` is `GALOP_HTTP_PORT`;
      5. `--set key=value`, as often as needed: `--set http.port=0 --set node.roles=[broadcast]`.

      Sections and maps are merged key by key; a list is replaced as a whole. In a variable or after
      `--set`, text needs no quotes, a list of words is `a,b` or `[a, b]`, and anything bigger is YAML
      on one line: `--set 'enrich.chain=[drop]'`.

      The file is YAML 1.2 in UTF-8, one document, without tags. A key that does not exist, a key given
      twice, a value of the wrong type or out of its range, and a variable that begins with `GALOP_` and
      names no key all stop the start with exit code 2: each problem is told with its path, what is
      allowed, and the line or the variable where it stands. `galop check FILE` does only that.

      Units are part of the names. Where one of several bricks is chosen, it is written as a map with
      one key, the brick's word, and below it the brick's own keys; a brick that needs none may be
      written as its word alone.
      """;

  private ConfigDocText() {}

  static String otherVariables() {
    StringBuilder out = new StringBuilder("\n## Variables that are no keys\n\n");
    Variables.OTHERS.forEach(
        (name, what) -> out.append("* `").append(name).append("`: ").append(what).append("\n"));
    return out.toString();
  }
}
