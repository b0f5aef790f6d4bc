package io.galop.persist.history;

/**
 * Where answers wait for room. Lines take turns: a small answer does not wait for all large ones.
 */
enum AnswerLine {
  /** Answers that have set their pages aside. */
  BEGUN,
  SMALL,
  LARGE
}
