package io.galop.docker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code docker/compose.yml} as an engine reads it: with what {@code <<} merges. */
final class Compose {
  private final Map<?, ?> file;

  private Compose(Map<?, ?> file) {
    this.file = file;
  }

  static Compose read(String yaml) {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return new Compose((Map<?, ?>) merged(loaded));
  }

  private static Object merged(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(Compose::merged).toList();
    }
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<Object, Object> all = new LinkedHashMap<>();
    if (map.get("<<") != null) {
      all.putAll((Map<?, ?>) merged(map.get("<<")));
    }
    map.forEach((key, inner) -> all.put(key, merged(inner)));
    all.remove("<<");
    return all;
  }

  Map<String, Service> services() {
    Map<String, Service> services = new TreeMap<>();
    ((Map<?, ?>) file.get("services"))
        .forEach((name, service) -> services.put("" + name, new Service((Map<?, ?>) service)));
    return services;
  }

  Service service(String name) {
    return services().get(name);
  }

  /** The nodes of Galop by name. */
  Map<String, Service> nodes() {
    Map<String, Service> nodes = services();
    nodes.values().removeIf(service -> !service.environment().containsKey("GALOP_NODE_ROLES"));
    return nodes;
  }

  /** The text without a service, and without the one line about it in the nodes' environment. */
  static String without(String yaml, String service) {
    List<String> kept = new ArrayList<>();
    boolean isInside = false;
    for (String line : yaml.lines().toList()) {
      if (line.matches(" {0,2}\\S.*")) {
        isInside = line.equals("  " + service + ":");
      }
      boolean isAboutIt =
          line.startsWith("      ") && line.contains("host") && names(line, service);
      if (!isInside && !(isAboutIt && line.contains("login"))) {
        kept.add(line);
      }
    }
    return String.join("\n", kept) + "\n";
  }

  private static boolean names(String line, String service) {
    return line.matches(".*host: " + service + "[,}].*")
        || line.matches(".*hosts: \\[\"" + service + ":.*");
  }

  /** One service. */
  record Service(Map<?, ?> keys) {
    Map<String, String> environment() {
      Map<String, String> variables = new TreeMap<>();
      if (keys.get("environment") instanceof Map<?, ?> map) {
        map.forEach((name, value) -> variables.put("" + name, "" + value));
      }
      return variables;
    }

    String text(String key) {
      return keys.get(key) == null ? "" : keys.get(key).toString();
    }

    /** A list of texts; empty if it is not there. */
    List<String> texts(String key) {
      return keys.get(key) instanceof List<?> list
          ? list.stream().map(String::valueOf).toList()
          : List.of();
    }

    /** Its address in each network where it is given one. */
    Map<String, String> addresses() {
      Map<String, String> addresses = new TreeMap<>();
      if (keys.get("networks") instanceof Map<?, ?> networks) {
        networks.forEach(
            (network, how) -> {
              Object address = ((Map<?, ?>) how).get("ipv4_address");
              if (address != null) {
                addresses.put("" + network, "" + address);
              }
            });
      }
      return addresses;
    }

    /** The open files that it may have. */
    int openFiles() {
      Map<?, ?> limits = (Map<?, ?>) keys.get("ulimits");
      return (Integer) ((Map<?, ?>) limits.get("nofile")).get("hard");
    }

    /** A time such as 30s. */
    int seconds(String key) {
      return Integer.parseInt(text(key).replaceFirst("s$", ""));
    }

    /** A size such as 2g. */
    long bytes(String key) {
      return Long.parseLong(text(key).replaceFirst("g$", "")) << 30;
    }
  }
}
