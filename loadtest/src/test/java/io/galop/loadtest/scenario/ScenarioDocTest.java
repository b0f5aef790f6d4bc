package io.galop.loadtest.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.loadtest.Measures;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
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
    if (type.getRecordComponents().length == 0) {
      return text.append("It has no keys of its own.\n").toString();
    }
    for (RecordComponent key : type.getRecordComponents()) {
      Default standard = key.getAnnotation(Default.class);
      text.append(
          "* **`%s`** (%s; %s): %s\n"
              .formatted(
                  key.getName(),
                  rule(key),
                  standard == null ? "required" : shown(standard.value()),
                  key.getAnnotation(Doc.class).value()));
    }
    return text.toString();
  }

  private static String shown(String value) {
    return value.isEmpty() ? "empty" : "`" + value + "`";
  }

  private static String rule(RecordComponent key) {
    String type = key.getGenericType().getTypeName();
    Range range = key.getAnnotation(Range.class);
    String numbers =
        range == null ? "" : " " + Words.number(range.from()) + " to " + Words.number(range.to());
    if (key.getType().isEnum()) {
      return words(key.getType());
    }
    if (type.startsWith("java.util.List")) {
      Class<?> element =
          (Class<?>) ((ParameterizedType) key.getGenericType()).getActualTypeArguments()[0];
      return element.isEnum()
          ? "a list of " + words(element)
          : "a list" + (range == null ? " of texts" : ":" + numbers);
    }
    if (type.startsWith("java.util.Map")) {
      return "a map";
    }
    if (key.getType().isPrimitive()) {
      return key.getType() == boolean.class ? "true or false" : numbers.strip();
    }
    return key.getType() == String.class ? "text" : "map below";
  }

  private static String words(Class<?> type) {
    return java.util.Arrays.stream(type.getEnumConstants())
        .map(Object::toString)
        .collect(Collectors.joining(", "));
  }
}
