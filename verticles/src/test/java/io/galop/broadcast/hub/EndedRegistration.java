package io.galop.broadcast.hub;

/** Ends registrations as their Hub does when their connection has gone. */
public final class EndedRegistration {
  private EndedRegistration() {}

  public static void end(Registration registration) {
    registration.end();
  }

  /** What is taken of a budget and not given back. */
  public static long taken(Budget budget) {
    return budget.taken();
  }
}
