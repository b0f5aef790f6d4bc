package io.galop.broadcast.edge;

import io.galop.jvm.ErrorText;
import io.galop.jvm.Moment;
import io.galop.node.Readiness;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Revokes tokens on this node: refuses them from now on, sends away who uses one, and saves that.
 * In this order, so that a slow disk keeps nobody connected. On one event loop; writes on a worker
 * thread, one after the other.
 */
final class Revoking {
  private static final String PART = "viewer-revocations";

  private final Vertx vertx;
  private final Supplier<Future<Integer>> sweep;
  private final Revocations revocations;
  private final RevocationFile file;
  private final Readiness readiness;
  private boolean isUnsaved;

  /**
   * @param ended the connections that it has ended
   * @param isSaved whether it holds over a restart of the node
   */
  record Done(int ended, boolean isSaved) {}

  /**
   * @param sweep sends away whose tokens are refused, and says how many those were
   */
  Revoking(
      Vertx vertx,
      Supplier<Future<Integer>> sweep,
      Revocations revocations,
      RevocationFile file,
      Readiness readiness) {
    this.vertx = vertx;
    this.sweep = sweep;
    this.revocations = revocations;
    this.file = file;
    this.readiness = readiness;
  }

  /** Reads what was saved; blocks. */
  static Revocations saved(RevocationFile file, Revocations into) {
    file.readInto(into, Moment.now());
    return into;
  }

  /**
   * Revokes the tokens of subjects from before a moment each; what is known already costs nothing.
   *
   * @param onNews is called before anything is waited for, if any of it was not known
   * @return fails if there are more subjects than a node keeps: some are not revoked then
   */
  Future<Done> revoke(Map<String, Long> beforeMs, Runnable onNews) {
    boolean isNews = false;
    RuntimeException full = null;
    for (Map.Entry<String, Long> one : beforeMs.entrySet()) {
      try {
        isNews |= revocations.add(one.getKey(), one.getValue(), Moment.now());
      } catch (IllegalStateException e) {
        full = e;
      }
    }
    if (!isNews) {
      return full == null
          ? Future.succeededFuture(new Done(0, !isUnsaved))
          : Future.failedFuture(full);
    }
    onNews.run();
    Future<Integer> swept = sweep.get();
    Future<Boolean> saved = save(); // beside it: a loop that hangs keeps nothing from the disk
    Future<Done> done = swept.compose(ended -> saved.map(isSaved -> new Done(ended, isSaved)));
    RuntimeException rest = full;
    return rest == null ? done : done.compose(some -> Future.failedFuture(rest));
  }

  /** Forgets what has no tokens any more, and tries again to save what could not be. */
  void tick() {
    boolean isOther = revocations.forget(Moment.now());
    if (isOther || isUnsaved) {
      save();
    }
  }

  private Future<Boolean> save() {
    isUnsaved = true;
    Callable<Boolean> write =
        () -> {
          file.write(revocations.all());
          return true;
        };
    return vertx.executeBlocking(write, true).otherwise(this::unsaved).onSuccess(this::saved);
  }

  private boolean unsaved(Throwable failure) {
    readiness.warn(
        PART,
        "who was disconnected cannot be saved: " + ErrorText.of(failure),
        "their tokens are good again after a restart of this node; see node.dataDir");
    return false;
  }

  private void saved(boolean isSaved) {
    isUnsaved = !isSaved;
    if (isSaved) {
      readiness.calm(PART, "saved");
    }
  }
}
