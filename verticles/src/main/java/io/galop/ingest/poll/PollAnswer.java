package io.galop.ingest.poll;

import io.galop.config.ingest.PollSourceConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an answer holds.
 *
 * @param items one for each topic, in the order of the answer
 * @param refused how many items were no object, had no topic, or one that another item has
 * @param firstRefusal why the first of them was; empty if none was
 */
public record PollAnswer(List<PollItem> items, int refused, String firstRefusal) {
  private static final Pattern FIELD = Pattern.compile("\\{([^{}]+)}");

  /**
   * Reads an answer.
   *
   * @throws BadAnswer if it is not what the source should give, or the items are not where they
   *     should be
   */
  public static PollAnswer of(PollSourceConfig source, byte[] body) throws BadAnswer {
    boolean xml = source.format() == PollSourceConfig.Format.XML;
    @Nullable Object tree =
        xml
            ? XmlTree.read(body, Set.copyOf(source.numbers()), Set.copyOf(source.lists()))
            : JsonTree.read(body);
    List<Object> found = find(tree, source.items(), xml);
    Map<String, PollItem> items = new LinkedHashMap<>();
    String firstRefusal = "";
    int refused = 0;
    for (Object item : found) {
      String wrong = add(items, item, source);
      refused += wrong.isEmpty() ? 0 : 1;
      firstRefusal = firstRefusal.isEmpty() ? wrong : firstRefusal;
    }
    return new PollAnswer(List.copyOf(items.values()), refused, firstRefusal);
  }

  /** In XML an empty list is an element that is not there, so the last name may be missing. */
  private static List<Object> find(@Nullable Object tree, String path, boolean xml)
      throws BadAnswer {
    String[] names = path.isEmpty() ? new String[0] : path.substring(1).split("/");
    List<Object> found = spread(List.of(tree == null ? Map.of() : tree));
    for (int i = 0; i < names.length; i++) {
      List<Object> next = new ArrayList<>();
      boolean there = found.isEmpty();
      for (Object each : found) {
        if (each instanceof Map<?, ?> map && map.containsKey(names[i])) {
          there = true;
          next.add(map.get(names[i]));
        }
      }
      if (!there && !(xml && i == names.length - 1)) {
        throw new BadAnswer("the answer has no '%s' of %s".formatted(names[i], path));
      }
      found = spread(next);
    }
    return found;
  }

  private static List<Object> spread(List<?> values) {
    List<Object> all = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof List<?> list) {
        all.addAll(spread(list));
      } else {
        all.add(value);
      }
    }
    return all;
  }

  private static String add(
      Map<String, PollItem> items, @Nullable Object item, PollSourceConfig source) {
    if (!(item instanceof Map<?, ?> fields)) {
      return "an item is no object";
    }
    StringBuilder topic = new StringBuilder();
    Matcher matcher = FIELD.matcher(source.topic());
    while (matcher.find()) {
      Object value = at(fields, matcher.group(1));
      if (value == null || value instanceof Map || value instanceof List || value.equals("")) {
        return "an item has no text or number '" + matcher.group(1) + "' for its topic";
      }
      matcher.appendReplacement(topic, Matcher.quoteReplacement(value.toString()));
    }
    String name = matcher.appendTail(topic).toString();
    Object data = chosen(fields, source.fields());
    ContentHash hash = ContentHash.of(JsonTree.writeSorted(data));
    PollItem before = items.putIfAbsent(name, new PollItem(name, JsonTree.write(data), hash));
    return before == null ? "" : "two items have the topic " + name;
  }

  private static @Nullable Object at(Map<?, ?> fields, String path) {
    @Nullable Object value = fields;
    for (String name : path.split("\\.")) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }

  private static Map<?, ?> chosen(Map<?, ?> fields, List<String> names) {
    if (names.isEmpty()) {
      return fields;
    }
    Map<String, Object> chosen = new LinkedHashMap<>();
    for (String name : names) {
      if (fields.containsKey(name)) {
        chosen.put(name, fields.get(name));
      }
    }
    return chosen;
  }
}
