package io.galop.ops.access;

import io.galop.config.OperatorConfig.Rights;

/**
 * Somebody who has come to the management port.
 *
 * @param operator the name in the configuration; empty where it has no operators
 * @param rights what he may do
 * @param how he showed who he is: {@code token}, {@code basic}, {@code certificate}; {@code none}
 * @param address where he came from
 */
public record Login(String operator, Rights rights, String how, String address) {
  /** Where the configuration has no operators everybody may do everything. */
  static Login ofAnybody(String address) {
    return new Login("", Rights.OPERATOR, "none", address);
  }

  /** Whether he has said who he is. */
  public boolean isKnown() {
    return !operator.isEmpty();
  }

  /** Whether he has the role operator. */
  public boolean mayAct() {
    return rights == Rights.OPERATOR;
  }
}
