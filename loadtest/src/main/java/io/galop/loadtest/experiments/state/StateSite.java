package io.galop.loadtest.experiments.state;

import io.galop.loadtest.site.OwnSite;
import io.galop.loadtest.site.Site;
import java.io.IOException;
import java.util.List;

/** A server that only keeps state, in a process of its own. */
public final class StateSite {
  private StateSite() {}

  /** Starts it. */
  public static Site start(Discipline discipline, List<String> jvmFlags)
      throws IOException, InterruptedException {
    return OwnSite.start(jvmFlags, "state-server", "" + discipline);
  }
}
