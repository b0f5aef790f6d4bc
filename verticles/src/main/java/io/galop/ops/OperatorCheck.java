package io.galop.ops;

import io.galop.node.Node;
import io.galop.ops.access.Operators;
import java.util.List;

/** Has the port take renewed hashes of tokens, and says which cannot be read. */
final class OperatorCheck implements Check {
  private static final String PART = "operators";

  private final Node node;
  private final Operators operators;

  OperatorCheck(Node node, Operators operators) {
    this.node = node;
    this.operators = operators;
  }

  @Override
  public void look(MeterSums meters) {
    List<String> problems = operators.look();
    if (problems.isEmpty()) {
      node.readiness().calm(PART, "every hash is read again");
    } else {
      node.readiness()
          .warn(
              PART,
              "nobody has these logins: " + String.join("; ", problems),
              "mend the files; they are taken without a restart");
    }
  }
}
