package io.galop.cli;

import io.galop.config.GalopConfig;
import java.util.List;

/** What a node checks beyond the configuration itself before it starts: the files that it names. */
@FunctionalInterface
public interface ConfigCheck {
  /** All problems found, one sentence each. */
  List<String> problems(GalopConfig config);
}
