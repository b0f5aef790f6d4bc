package io.galop.persist.sink;

import io.galop.store.TlsReason;

/** The store could not do it now. */
final class StoreFailure extends Exception {
  private static final long serialVersionUID = 1L;

  StoreFailure(Throwable cause) {
    super(message(cause), cause);
  }

  /** Why something failed, in one line for the log. */
  static String inOneLine(Throwable e) {
    String said = e.getMessage() == null ? e.toString() : e.getMessage();
    String line = said.replace('\n', ' ');
    return TlsReason.of(e).map(reason -> reason + " (" + line + ")").orElse(line);
  }

  /** Drivers wrap what an operator has to know, such as why a certificate is not trusted. */
  private static String message(Throwable failure) {
    String outer = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String inner = String.valueOf(root.getMessage());
    return root == failure || root.getMessage() == null || outer.contains(inner)
        ? outer
        : outer + ": " + inner;
  }
}
