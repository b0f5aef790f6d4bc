package io.galop.persist.history;

/** What an answer is told of its {@link AnswerBudget.Claim}, on its context. */
interface AnswerHolder {
  /** It has a place and pages, for the first time. */
  void begin();

  /** It will get none. */
  void refuse(String why);

  /** To let go of its pages, while its client is behind. */
  void setPagesAside();

  /** It may have pages again. */
  void goOn();

  /** To close the connection: the answer has ended. */
  void cutOff();
}
