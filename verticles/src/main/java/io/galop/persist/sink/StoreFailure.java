package io.galop.persist.sink;

/** The store could not do it now. */
final class StoreFailure extends Exception {
  private static final long serialVersionUID = 1L;

  StoreFailure(Throwable cause) {
    super(message(cause), cause);
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
