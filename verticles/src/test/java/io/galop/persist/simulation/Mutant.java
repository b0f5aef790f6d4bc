package io.galop.persist.simulation;

/** A fault in the protocol, made on purpose: the simulation has to find each. */
enum Mutant {
  NONE("the product as it is"),
  ANSWER_BEFORE_FSYNC("a record is acknowledged before the fsync"),
  FSYNC_FAILURE_IGNORED("a failed fsync is taken for a good one"),
  EPOCH_NOT_LOGGED("an epoch begins without an entry in the Log"),
  EPOCH_WITHOUT_TAG("two nodes may pick one number for an epoch"),
  SEAL_NOT_ASKED("the node that had the shard is not asked to seal it"),
  STALE_OWNER_NOT_FENCED("who is asked for a seal goes on placing records"),
  SEAL_BEFORE_DISK("a seal is answered before the records are on disk"),
  DOUBT_NOT_LOGGED("doubt about what came before an epoch is not logged"),
  DOUBT_NOT_SHOWN("an epoch always claims to follow on the one before"),
  PAUSE_NOT_NOTICED("a process that paused goes on as if nothing had been"),
  LOGS_NOT_KEPT("a node that comes back with an empty disk is taken for the one before"),
  NAMES_NOT_KEPT("who stored before a restart is forgotten"),
  TAIL_NOT_COPIED("the tail of the node before is taken as copied"),
  IDS_NOT_KEPT("ids of records are forgotten when the shard is taken"),
  PUSH_NOT_CHECKED("a viewer takes a push that does not follow on what it has");

  final String fault;

  Mutant(String fault) {
    this.fault = fault;
  }
}
