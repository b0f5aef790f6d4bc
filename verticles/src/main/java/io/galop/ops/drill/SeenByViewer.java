package io.galop.ops.drill;

import io.galop.record.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * What a viewer has seen.
 *
 * @param parts the numbers of records, in the order in which they were shown
 * @param letters the dead letters of records, as in {@code 0 too_large}
 * @param joins how often it came
 * @param isComplete whether it was given all since it was here before, when it last came
 * @param broken why it is not there any more; empty: it is
 */
record SeenByViewer(
    List<Integer> parts,
    List<String> letters,
    int joins,
    boolean isComplete,
    boolean isSilent,
    boolean isBack,
    String broken) {
  private static final List<String> REFUSED = List.of("0 " + Reason.TOO_LARGE.word());

  static final SeenByViewer NOTHING =
      new SeenByViewer(List.of(), List.of(), 0, false, false, false, "");

  SeenByViewer {
    parts = List.copyOf(parts);
    letters = List.copyOf(letters);
  }

  SeenByViewer after(DrillEvent.OfViewer event) {
    if (event instanceof DrillEvent.Shown shown) {
      List<Integer> all = new ArrayList<>(parts);
      all.add(shown.part());
      return new SeenByViewer(all, letters, joins, isComplete, isSilent, isBack, broken);
    }
    if (event instanceof DrillEvent.Lettered letter) {
      List<String> all = new ArrayList<>(letters);
      all.add(letter.part() + " " + letter.reason());
      return new SeenByViewer(parts, all, joins, isComplete, isSilent, isBack, broken);
    }
    if (event instanceof DrillEvent.Joined joined) {
      return new SeenByViewer(
          parts, letters, joins + 1, joined.isComplete(), isSilent, isBack, broken);
    }
    if (event instanceof DrillEvent.Told told) {
      boolean nowBack = isBack || isSilent && !told.isSilent();
      return new SeenByViewer(
          parts, letters, joins, isComplete, isSilent || told.isSilent(), nowBack, broken);
    }
    return event instanceof DrillEvent.Broken gone && broken.isEmpty()
        ? new SeenByViewer(parts, letters, joins, isComplete, isSilent, isBack, gone.why())
        : this;
  }

  boolean isThere() {
    return broken.isEmpty();
  }

  boolean has(List<Integer> wanted) {
    return parts.containsAll(wanted);
  }

  /** Of what was announced, what was passed over: something later was shown. */
  List<Integer> missing(List<Integer> announced) {
    int last = parts.stream().mapToInt(Integer::intValue).max().orElse(-1);
    return announced.stream().filter(part -> part < last && !parts.contains(part)).toList();
  }

  /** Whether it has seen what the planted fault is, and nothing else. */
  boolean hasFound(DrillPlan plan) {
    return switch (plan.fault()) {
      case NONE -> false;
      case DOUBLED -> parts.equals(plan.announced());
      case LOST -> missing(plan.announced()).equals(List.of(1));
      case LATE -> isComplete && parts.equals(List.of(0, 1));
      case SILENT -> isBack;
      case REFUSED -> parts.isEmpty() && letters.equals(REFUSED);
    };
  }

  boolean isDoubled() {
    return hasTwice(parts) || hasTwice(letters);
  }

  private static boolean hasTwice(List<?> all) {
    return all.stream().distinct().count() < all.size();
  }
}
