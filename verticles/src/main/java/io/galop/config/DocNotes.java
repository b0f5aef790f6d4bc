package io.galop.config;

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
    if (slot.isOptional()) {
      return allowed(slot.element(""));
    }
    if (slot.isSection()) {
      return "the section `" + slot.path() + "` below";
    }
    return slot.wanted();
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
      return "its keys' own";
    }
    return slot.isList() ? "`[]`" : slot.isMap() ? "`{}`" : "must be given";
  }

  private static String share(Share share) {
    String each = share.each() == 1 ? "" : ", counted as " + share.each() + " bytes each,";
    return "1/%d of %s%s, at most `%d`"
        .formatted(share.part(), share.of().words(), each, share.atMost());
  }

  /** Keys within lists, maps and bricks have no variable of their own. */
  static boolean hasVariable(Slot slot) {
    return slot.path().equals(Variables.paths().get(Words.variable(slot.path())));
  }
}
