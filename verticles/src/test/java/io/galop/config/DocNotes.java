package io.galop.config;

import io.galop.yaml.Doc;
import io.galop.yaml.Share;
import io.galop.yaml.Slot;
import io.galop.yaml.Value;
import java.util.Locale;

/** What the documentation says about one key. */
final class DocNotes {
  private DocNotes() {}

  /** Its @Doc; a section may have it on its type instead. */
  static String what(Slot slot) {
    Doc doc = slot.notes().getAnnotation(Doc.class);
    Doc ofType = slot.raw().getAnnotation(Doc.class);
    String text = doc != null ? doc.value() : ofType != null ? ofType.value() : "";
    return slot.isSecret() ? text + " Never printed." : text;
  }

  static String allowed(Slot slot) {
    return slot.wanted()
        .replaceFirst("^a whole number from ", "")
        .replaceFirst("^a whole number not below (.*)", "$1 or more")
        .replaceFirst("^(a number )?(from )?([\\d.]+) to ([\\d.]+)$", "$1$3–$4")
        .replaceFirst("^true or false$", "boolean")
        .replaceFirst("^a list of texts$", "texts");
  }

  /** What a heading's link is called: without dots and brackets. */
  static String anchor(String path) {
    return path.toLowerCase(Locale.ROOT).replaceAll("[^\\w-]", "");
  }

  static String byDefault(Slot slot) {
    if (slot.share().isPresent()) {
      return share(slot.share().get());
    }
    String given = slot.defaultValue().map(value -> ((Value.Scalar) value).text()).orElse(null);
    if (given != null) {
      return given.isEmpty() ? "empty" : "`" + given + "`";
    }
    if (slot.isOptional()) {
      return "none";
    }
    if (slot.isSection()) {
      return "";
    }
    return slot.isList() ? "`[]`" : slot.isMap() ? "`{}`" : "required";
  }

  private static String share(Share share) {
    String each = share.each() == 1 ? "" : " at " + share.each() + " bytes each";
    return "1/%d of %s%s, at most `%d`"
        .formatted(share.part(), share.of().words(), each, share.atMost());
  }
}
