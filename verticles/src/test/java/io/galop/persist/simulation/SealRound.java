package io.galop.persist.simulation;

import io.galop.bus.Sealed;
import io.galop.persist.ownership.Answer;
import io.galop.record.Position;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks all other processes to end their epoch, as {@code Seals} does on an event loop. */
record SealRound(World world, StoringProcess process, Pull pull) {
  private static final long UNSEEN_MS = 20_000;
  private static final int ATTEMPTS = 3;

  Future<List<Answer>> askAll(int attempt) {
    long now = world.clock.nowMs();
    List<Future<Answer>> all = new ArrayList<>();
    for (StoringProcess other : world.seenBy(process)) {
      all.add(
          world.mutant == Mutant.SEAL_NOT_ASKED
              ? Future.succeededFuture(
                  new Answer(
                      other.id, other.node.name, Optional.of(new Sealed(false, Position.none(0)))))
              : ask(attempt, other, now + Actor.TAKEOVER_TIMEOUT_MS, now + UNSEEN_MS));
    }
    return Future.join(all).map(done -> all.stream().map(Future::result).toList());
  }

  private Future<Answer> ask(int attempt, StoringProcess other, long deadline, long unseenUntil) {
    Promise<Answer> answer = Promise.promise();
    world
        .network
        .request(process, other, Actor.TAKEOVER_TIMEOUT_MS / ATTEMPTS, () -> other.onSeal(process))
        .map(reply -> new Answer(other.id, other.node.name, Optional.of(reply)))
        .onSuccess(answer::complete)
        .onFailure(
            failure -> {
              boolean isUnseen = "not seen".equals(failure.getMessage());
              long until = isUnseen ? unseenUntil : deadline;
              if (pull.isWanted(attempt) && process.sees(other) && world.clock.nowMs() < until) {
                process.later(
                    100, () -> ask(attempt, other, deadline, unseenUntil).onComplete(answer));
              } else {
                answer.complete(new Answer(other.id, other.node.name, Optional.empty()));
              }
            });
    return answer.future();
  }
}
