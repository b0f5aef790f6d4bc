package io.galop.ingest.simulation;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Made-up names of courses, races and horses. */
final class Names {
  private static final List<String> COURSES =
      List.of(
          "Northmoor",
          "Elmsford",
          "Larkfield",
          "Cresthaven",
          "Silverbrook",
          "Wexdown",
          "Ashcombe",
          "Thornbury Park",
          "Kingsheath",
          "Marlow Vale",
          "Redcliffe",
          "Foxhollow");
  private static final List<String> DISTANCES =
      List.of("5f", "6f", "7f", "1m", "1m2f", "1m4f", "2m", "2m4f", "3m");
  private static final List<String> KINDS =
      List.of("Hcap", "Mdn", "Nov Stks", "Hrd", "Chs", "Cond Stks");
  private static final List<String> FIRST =
      List.of(
          "Silver",
          "Midnight",
          "Royal",
          "Crimson",
          "Lucky",
          "Dancing",
          "Golden",
          "Wild",
          "Quiet",
          "Northern",
          "Velvet",
          "Copper",
          "Stormy",
          "Amber",
          "Hidden",
          "Brave",
          "Electric",
          "Misty",
          "Autumn",
          "Flying");
  private static final List<String> SECOND =
      List.of(
          "Comet",
          "Harbour",
          "Whisper",
          "Fiddler",
          "Arrow",
          "Lantern",
          "Duchess",
          "Falcon",
          "Tide",
          "Legend",
          "Sparrow",
          "Thunder",
          "Minstrel",
          "Compass",
          "Ember",
          "Pilgrim",
          "Horizon",
          "Jester",
          "Orchard",
          "Echo");

  private Names() {}

  static String race(SplittableRandom random) {
    return one(COURSES, random) + ' ' + one(DISTANCES, random) + ' ' + one(KINDS, random);
  }

  /** So many different horses, at most 400. */
  static List<String> horses(int count, SplittableRandom random) {
    Set<String> names = new LinkedHashSet<>();
    while (names.size() < count) {
      names.add(one(FIRST, random) + ' ' + one(SECOND, random));
    }
    return List.copyOf(names);
  }

  private static String one(List<String> names, SplittableRandom random) {
    return names.get(random.nextInt(names.size()));
  }
}
