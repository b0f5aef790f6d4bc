package io.galop.ops.drill;

/** Where a round is. */
enum DrillPhase {
  /** It has not begun. */
  NEW,
  /** Viewers come. */
  JOIN,
  /** Records are sent and shown. */
  SHOW,
  /** Viewers are away, and a record is sent. */
  AWAY,
  /** Viewers are back. */
  BACK,
  /** The topic is silent. */
  SILENT,
  /** It is not any more. */
  AGAIN,
  /** It has to be in the Log and in the stores. */
  LOOK,
  /** It is over. */
  OVER;

  /** What comes next; pure. */
  DrillPhase next(DrillFault fault) {
    return switch (this) {
      case NEW -> JOIN;
      case JOIN -> SHOW;
      case SHOW ->
          switch (fault) {
            case LATE -> AWAY;
            case SILENT -> SILENT;
            case NONE, DOUBLED, LOST, REFUSED -> LOOK;
          };
      case AWAY -> BACK;
      case SILENT -> AGAIN;
      case BACK, AGAIN -> LOOK;
      case LOOK, OVER -> OVER;
    };
  }
}
