package io.galop.loadtest.chaos;

/**
 * One fault.
 *
 * @param kind what happens
 * @param target the node or store; empty where all are meant
 * @param how a variant of the kind, as in {@code inbound} of a cut; may be empty
 * @param seconds how long it lasts
 */
record InjectedFault(FaultKind kind, String target, String how, int seconds) {
  @Override
  public String toString() {
    String text = kind.toString();
    text += target.isEmpty() ? "" : " " + target;
    text += how.isEmpty() ? "" : " " + how;
    return text + " " + seconds + " s";
  }
}
