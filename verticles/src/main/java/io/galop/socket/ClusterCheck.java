package io.galop.socket;

import io.galop.config.ClusterConfig;
import java.util.ArrayList;
import java.util.List;

/** Tries the files that a cluster's connections are guarded with, before anything is started. */
public final class ClusterCheck {
  private ClusterCheck() {}

  /**
   * Reads them where the node needs them; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(ClusterConfig config) {
    List<String> problems = new ArrayList<>(ClusterSecret.problems(config));
    problems.addAll(ClusterTls.problems(config));
    return problems;
  }
}
