package io.galop;

import io.galop.alarm.AlarmCheck;
import io.galop.broadcast.edge.EdgeCheck;
import io.galop.config.GalopConfig;
import io.galop.config.LoginCheck;
import io.galop.enrich.EnrichCheck;
import io.galop.extend.VerticleCheck;
import io.galop.ingest.IngestCheck;
import io.galop.ops.access.Operators;
import io.galop.persist.StoreCheck;
import io.galop.socket.ClusterCheck;
import io.galop.socket.LinkKeys;
import io.galop.socket.TlsListeners;
import java.util.ArrayList;
import java.util.List;

/** Tries the files that a configuration names, for {@code check} and before a start. */
final class FileChecks {
  private FileChecks() {}

  /** What is wrong, each a sentence that begins with a dotted path; blocks. */
  static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>(NodeName.problems(config));
    problems.addAll(EnrichCheck.problems(config));
    problems.addAll(ClusterCheck.problems(config.cluster()));
    problems.addAll(TlsListeners.problems(config));
    problems.addAll(Operators.problems(config));
    problems.addAll(LinkKeys.problems(config));
    problems.addAll(LoginCheck.problems(config));
    problems.addAll(PageFiles.problems(config));
    problems.addAll(EdgeCheck.problems(config));
    problems.addAll(StoreCheck.problems(config));
    problems.addAll(IngestCheck.problems(config));
    problems.addAll(Telemetry.problems(config));
    problems.addAll(AlarmCheck.problems(config));
    problems.addAll(VerticleCheck.problems(config));
    return problems;
  }
}
