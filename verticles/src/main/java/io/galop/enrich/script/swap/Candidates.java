package io.galop.enrich.script.swap;

import io.galop.config.enrich.FileSearch;
import io.galop.enrich.script.CandidateCheck;
import io.galop.enrich.script.Script;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes new versions of a step's script, from its file or by hand, and lets one at a time try to
 * take over. All methods but {@link #json} and the reserving block and are called from the step's
 * own thread.
 */
final class Candidates {
  private static final Logger LOG = LoggerFactory.getLogger(Candidates.class);
  private static final long SWAP_SECONDS = 60;

  private final ScriptStep step;
  private final StepContext context;
  private final AtomicBoolean isReserved = new AtomicBoolean();

  /** The last version that came; null if none did. */
  private volatile @Nullable Trial trial;

  private volatile boolean trialDeployed;
  private volatile String fileHash;
  private String fileStamp = "";
  private final VersionHistory history;

  Candidates(ScriptStep step) {
    this.step = step;
    this.context = step.context();
    this.fileHash = context.live().hash();
    this.history = new VersionHistory(fileHash, System.currentTimeMillis());
    this.fileStamp = stamp();
  }

  /** When the file was changed and how large it is; empty if there is none, as in the jar. */
  private String stamp() {
    Optional<Path> path = FileSearch.find(context.directory(), context.config().file());
    try {
      return path.isEmpty()
          ? ""
          : Files.getLastModifiedTime(path.get()) + " " + Files.size(path.get()) + " " + path.get();
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether a version that is handed over may wait: only one does. From any thread. */
  boolean reserve() {
    return isReserved.compareAndSet(false, true);
  }

  /** It waits no more. */
  void release() {
    isReserved.set(false);
  }

  /** Has the file changed? Then what it holds is tried. */
  void look() {
    String stamp = stamp();
    if (stamp.isEmpty() || stamp.equals(fileStamp)) {
      return;
    }
    fileStamp = stamp;
    try {
      SourceFile found = SourceFile.find(context.directory(), context.config().file());
      String hash = ScriptVersion.hash(found.text());
      boolean known = hash.equals(fileHash);
      fileHash = hash;
      if (!known && !hash.equals(context.live().hash())) {
        ScriptVersion version = context.version(found, context.casesBeside());
        context.tell("file", version, "begun");
        go(begin(version, false));
      }
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "script {}: the changed file is refused: {}", context.config().file(), e.getMessage());
    }
  }

  /**
   * A new version has come; it is not loaded yet.
   *
   * @param deployed whether it was handed over, and is to be written into the file in the end
   */
  Trial begin(ScriptVersion version, boolean deployed) {
    Trial before = trial;
    if (before != null && !before.phase().isEnd()) {
      before.end(RolloutPhase.ROLLED_BACK, "a newer version has come");
    }
    trialDeployed = deployed;
    Trial begun = new Trial(step, version);
    trial = begun;
    return begun;
  }

  /** Loads it and runs its cases; if all is well it runs beside the live one from now on. */
  void go(Trial next) {
    String problem = Loading.problem(next.candidate(), context.trials());
    if (!problem.isEmpty()) {
      next.end(RolloutPhase.REFUSED, problem);
    } else if (context.config().shadow().seconds() == 0) {
      swap(next, "shadow.seconds is 0");
    } else {
      next.shadow();
    }
  }

  /** Decides on the one that runs beside the live one, if it is time. */
  void decide() {
    Trial running = trial;
    if (running == null || running.phase() != RolloutPhase.SHADOW) {
      return;
    }
    Verdict verdict = running.judge();
    if (verdict.phase() == RolloutPhase.ROLLED_BACK) {
      running.end(RolloutPhase.ROLLED_BACK, verdict.reason());
    } else if (verdict.phase() == RolloutPhase.PROMOTED) {
      swap(running, verdict.reason());
    }
  }

  /**
   * All event loops or none: the version is loaded once for each before the first one changes, and
   * what can fail has been done by then.
   */
  private void swap(Trial winner, String reason) {
    winner.phase(RolloutPhase.SWAPPING);
    winner.endShadow();
    List<Script> fresh = new ArrayList<>();
    try {
      for (Lane lane : step.lanes()) {
        fresh.add(Loading.open(winner.candidate(), lane.states(), context.trials()));
      }
    } catch (IllegalArgumentException e) {
      fresh.forEach(Loading::closeAside);
      winner.end(RolloutPhase.ROLLED_BACK, ErrorText.of(e));
      return;
    }
    VersionHistory.Change change =
        history.begin(winner.candidate().hash(), System.currentTimeMillis());
    context.live(winner.candidate());
    replaceAll(fresh, change);
    keepInFile(winner);
    winner.end(RolloutPhase.PROMOTED, reason);
  }

  private void replaceAll(List<Script> fresh, VersionHistory.Change change) {
    CountDownLatch replaced = new CountDownLatch(fresh.size());
    for (int i = 0; i < fresh.size(); i++) {
      step.lanes()
          .get(i)
          .replace(
              fresh.get(i),
              context.inUse().hanging(),
              before -> {
                before.ifPresent(Loading::closeAside);
                replaced.countDown();
                if (replaced.getCount() == 0) {
                  history.settled(change, System.currentTimeMillis());
                }
              });
    }
    try {
      if (!replaced.await(SWAP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("script {}: {} event loops still wait", context.name(), replaced.getCount());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A version that was handed over is there at the next start of the node too. */
  private void keepInFile(Trial winner) {
    if (!trialDeployed) {
      return;
    }
    Path file =
        FileSearch.find(context.directory(), context.config().file())
            .orElse(Path.of(context.directory()).resolve(context.config().file()));
    try {
      ReplacedFile.write(file, winner.candidate().text());
      if (winner.candidate().cases().isPresent()) {
        String name = CandidateCheck.casesFile(String.valueOf(file.getFileName()));
        ReplacedFile.write(file.resolveSibling(name), winner.candidate().cases().get());
      }
      fileHash = winner.candidate().hash();
      fileStamp = stamp();
    } catch (IOException e) {
      LOG.error(
          "script {} is live but cannot be written to {}: {}", context.name(), file, e.toString());
    }
  }

  /** The last one that came, if any did. */
  Optional<Trial> trial() {
    return Optional.ofNullable(trial);
  }

  JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put("name", context.name())
            .put("file", context.config().file())
            .put("version", context.live().hash())
            .put("history", history.json())
            .put("eventLoops", step.lanes().size())
            .put("suspended", step.suspendedLanes())
            .put("fileDiffers", !fileHash.equals(context.live().hash()));
    trial().ifPresent(last -> json.put("candidate", last.json()));
    return json;
  }
}
