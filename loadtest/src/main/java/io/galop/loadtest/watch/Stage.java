package io.galop.loadtest.watch;

/** A part of the way of a record, by what is told of it when it is the one that holds it up. */
public enum Stage {
  DOOR("door"),
  ENRICH("enrich"),
  LOG("persist (Log)"),
  BROADCAST("broadcast"),
  STORES("stores");

  private final String title;

  Stage(String title) {
    this.title = title;
  }

  /** The column with the bytes that wait there and nowhere behind it. */
  public String waiting() {
    return "waiting " + title + " MB";
  }

  @Override
  public String toString() {
    return title;
  }
}
