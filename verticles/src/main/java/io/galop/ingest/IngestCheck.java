package io.galop.ingest;

import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.ingest.poll.PollDoor;
import io.galop.ingest.publisher.Publishers;
import io.galop.ingest.ring.RingDoor;
import java.util.ArrayList;
import java.util.List;

/** Tries the files that the doors need, before anything is started. */
public final class IngestCheck {
  private IngestCheck() {}

  /**
   * Looks at the files of the doors; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    if (config.runs(Role.INGEST)) {
      problems.addAll(Publishers.problems(config));
      problems.addAll(RingDoor.problems(config.ingest().ring()));
      problems.addAll(PollDoor.problems(config.ingest().poll()));
      problems.addAll(DoorBricks.problems(config.ingest()));
    }
    return problems;
  }
}
