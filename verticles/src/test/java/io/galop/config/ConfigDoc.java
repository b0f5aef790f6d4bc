package io.galop.config;

import io.galop.yaml.Slot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** Writes docs/configuration.md out of the records, so that it cannot differ from the program. */
final class ConfigDoc {
  private final StringBuilder out = new StringBuilder();
  private final Deque<Part> parts = new ArrayDeque<>();
  private final Set<Object> described = new HashSet<>();
  private final Map<Class<?>, String> tables = new HashMap<>();

  private ConfigDoc() {}

  /** A table of the document: a section, or one brick. */
  private record Part(Slot slot, String heading, String doc) {}

  /** The whole document, as Markdown. */
  static String markdown() {
    ConfigDoc doc = new ConfigDoc();
    doc.out.append(ConfigDocText.INTRODUCTION);
    Slot.root(GalopConfig.class).keys().values().forEach(doc::section);
    doc.out.append(ConfigDocText.otherVariables());
    return doc.out.toString();
  }

  private void section(Slot key) {
    Slot top = key.isList() ? key.element("[]") : key;
    parts.add(new Part(top, "## " + top.path(), DocNotes.what(top)));
    while (!parts.isEmpty()) {
      write(parts.poll());
    }
  }

  private void write(Part part) {
    boolean isElement = part.heading().startsWith("### ") && part.heading().endsWith("[]");
    out.append("\n").append(part.heading()).append("\n\n");
    out.append(isElement ? "Keys of each element:" : part.doc()).append("\n");
    if (part.slot().keys().isEmpty()) {
      return;
    }
    out.append("\n");
    StringJoiner sections = new StringJoiner(", ", "\nSections: ", "\n").setEmptyValue("");
    part.slot()
        .keys()
        .forEach(
            (key, slot) -> {
              if (slot.isSection() && tableOf(slot).equals(slot.path())) {
                sections.add(link(key, slot));
              } else {
                out.append(item(key, slot));
              }
            });
    out.append(sections);
    part.slot().keys().values().forEach(this::follow);
  }

  private String item(String key, Slot slot) {
    if (slot.isSection()) {
      return "* " + link(key, slot) + ": " + DocNotes.what(slot) + "\n";
    }
    Slot value = slot.isOptional() ? slot.element("") : slot;
    return "* **`%s`** (%s; %s): %s\n"
        .formatted(key, DocNotes.allowed(value), DocNotes.byDefault(slot), DocNotes.what(slot));
  }

  private String link(String key, Slot section) {
    return "[`" + key + "`](#" + DocNotes.anchor(tableOf(section)) + ")";
  }

  /** Where the keys of a section are: equal ones have one table for all places. */
  private String tableOf(Slot section) {
    return tables.computeIfAbsent(section.raw(), of -> section.path());
  }

  /** A section or the bricks below a key get tables of their own, once. */
  private void follow(Slot slot) {
    if (slot.isOptional()) {
      follow(slot.element(""));
    } else if (slot.isList()) {
      follow(slot.element("[]"));
    } else if (slot.isMap()) {
      follow(slot.element(".<name>"));
    } else if (slot.isSection() && tableOf(slot).equals(slot.path())) {
      parts.add(new Part(slot, "### " + slot.path(), DocNotes.what(slot)));
    } else if (slot.isBrick() && described.add(slot.raw())) {
      slot.bricks().keySet().forEach(word -> brick(slot, word));
    }
  }

  private void brick(Slot slot, String word) {
    Slot brick = slot.brick(word);
    parts.add(new Part(brick, "### " + slot.path() + ": " + word, DocNotes.what(brick)));
  }
}
