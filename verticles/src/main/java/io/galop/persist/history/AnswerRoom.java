package io.galop.persist.history;

/** What a body asks for room while it is written. On the event loop of its client. */
interface AnswerRoom {
  /** Where answers wait. Lines take turns: a small answer does not wait for all large ones. */
  enum Line {
    /** Answers that have set their pages aside. */
    BEGUN,
    SMALL,
    LARGE
  }

  /** Of what holds nothing of its own. */
  AnswerRoom NO_NEED =
      new AnswerRoom() {
        @Override
        public void holdPages(long bytes) {}

        @Override
        public void holdAtLeast(long bytes) {}

        @Override
        public void pause() {}

        @Override
        public void taken() {}

        @Override
        public boolean resume(long pages) {
          return true;
        }

        @Override
        public void end() {}
      };

  /**
   * Its pages are smaller than they might be, and it gets no others before it has set them aside.
   */
  void holdPages(long bytes);

  /** A page has come, which may be larger than those before. */
  void holdAtLeast(long bytes);

  /** The client is behind: nothing happens until it has taken something. */
  void pause();

  /** The client has taken something, but is behind still. */
  void taken();

  /**
   * The client has caught up.
   *
   * @param pages bytes of the pages that the body is about to hold, if it has set its own aside
   * @return whether it goes on at once; else {@link AnswerHolder#goOn} comes later
   */
  boolean resume(long pages);

  /** It holds nothing any more; may come more than once. */
  void end();
}
