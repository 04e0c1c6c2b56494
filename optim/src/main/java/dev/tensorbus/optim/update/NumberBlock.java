// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import java.util.List;

/// Computes nothing, but notes the operations of a rule and their numbers, in order.
///
/// @param operations receives the name of each operation
/// @param numbers receives each number
record NumberBlock(List<String> operations, List<Double> numbers) implements Block {
  private Block note(String operation, double... with) {
    operations.add(operation);
    for (double number : with) {
      numbers.add(number);
    }
    return this;
  }

  @Override
  public Block set(Block other) {
    return note("set");
  }

  @Override
  public Block neg() {
    return note("neg");
  }

  @Override
  public Block abs() {
    return note("abs");
  }

  @Override
  public Block sqrt() {
    return note("sqrt");
  }

  @Override
  public Block add(double number) {
    return note("add", number);
  }

  @Override
  public Block mul(double factor) {
    return note("mul", factor);
  }

  @Override
  public Block div(double divisor) {
    return note("div", divisor);
  }

  @Override
  public Block clamp(double min, double max) {
    return note("clamp", min, max);
  }

  @Override
  public Block addScaled(Block other, double factor) {
    return note("addScaled", factor);
  }

  @Override
  public Block sub(Block other) {
    return note("sub");
  }

  @Override
  public Block mulBy(Block other) {
    return note("mulBy");
  }

  @Override
  public Block divBy(Block other) {
    return note("divBy");
  }

  @Override
  public Block maximum(Block other) {
    return note("maximum");
  }

  @Override
  public Block addcmul(Block a, Block b, double factor) {
    return note("addcmul", factor);
  }

  @Override
  public Block addcdiv(Block a, Block b, double factor) {
    return note("addcdiv", factor);
  }

  @Override
  public Block bySign(double negative, double zero, double positive) {
    return note("bySign", negative, zero, positive);
  }

  @Override
  public Block zeroWhereNegative(Block other) {
    return note("zeroWhereNegative");
  }
}
