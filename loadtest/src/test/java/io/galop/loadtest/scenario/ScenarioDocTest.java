package io.galop.loadtest.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.loadtest.Measures;
import io.galop.yaml.Doc;
import io.galop.yaml.Slot;
import io.galop.yaml.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The keys in docs/loadtest.md are those that files may have. After a change, write them anew with
 * {@code -Dgalop.update.docs=true}.
 */
class ScenarioDocTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "loadtest.md");
  private static final String BEGIN = "<!-- keys, made from the records in io.galop.loadtest -->\n";
  private static final String END = "<!-- end of keys -->\n";

  @Test
  void theDocumentHasAllKeys() throws IOException {
    String document = Files.readString(DOCUMENT);
    int from = document.indexOf(BEGIN) + BEGIN.length();
    int to = document.indexOf(END);
    String wanted = document.substring(0, from) + keys() + document.substring(to);
    if (Boolean.getBoolean("galop.update.docs")) {
      Files.writeString(DOCUMENT, wanted);
      return;
    }
    assertEquals(wanted, document, "write it anew with -Dgalop.update.docs=true");
  }

  private static String keys() {
    StringBuilder text = new StringBuilder(list("The file", Scenario.class));
    text.append(list("`start`", StartPlan.class));
    text.append(list("`inject`", Injection.class));
    text.append(list("`viewers`", ViewerPlan.class));
    text.append(list("`goal`", Goal.class));
    Measures.ALL.keySet().stream()
        .sorted()
        .forEach(word -> text.append(list("`measure: " + word + "`", Measures.ALL.get(word))));
    return text.append('\n').toString();
  }

  private static String list(String title, Class<?> type) {
    StringBuilder text = new StringBuilder("\n### " + title + "\n\n");
    Map<String, Slot> keys = slot(type).keys();
    if (keys.isEmpty()) {
      return text.append("It has no keys of its own.\n").toString();
    }
    keys.forEach(
        (key, slot) ->
            text.append(
                "* **`%s`** (%s): %s\n"
                    .formatted(key, rule(slot), slot.notes().getAnnotation(Doc.class).value())));
    return text.toString();
  }

  private static Slot slot(Class<?> type) {
    return Slot.root(type, Map.of(MeasurePlan.class, Map.of()));
  }

  private static String rule(Slot slot) {
    if (slot.isSection()) {
      return "map below";
    }
    if (slot.isMap()) {
      return "a map";
    }
    String allowed = slot.isBrick() ? "map below" : slot.wanted();
    String shorter =
        allowed
            .replaceFirst("^a list, each ", "a list: ")
            .replaceFirst("a (whole )?number from (.*) to (.*)", "$2–$3");
    String byDefault =
        slot.defaultValue()
            .map(value -> ((Value.Scalar) value).text())
            .map(text -> text.isEmpty() ? "; empty" : "; `" + text + "`")
            .orElse(slot.isList() ? "" : "; required");
    return shorter + byDefault;
  }
}
