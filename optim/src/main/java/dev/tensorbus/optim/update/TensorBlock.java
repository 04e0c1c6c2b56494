// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A whole tensor, on which a rule computes by operations. They round twice where an [ArrayBlock]
/// rounds once.
final class TensorBlock implements Block {
  private final Supplier<Tensor> numbers;
  private @Nullable Tensor x;

  /// Creates an empty block.
  ///
  /// @param numbers returns the next number of the rule, as a scalar; it replaces the argument
  TensorBlock(Supplier<Tensor> numbers) {
    this.numbers = numbers;
  }

  /// Creates a block of these values.
  TensorBlock(Supplier<Tensor> numbers, Tensor values) {
    this(numbers);
    x = values;
  }

  /// Returns the present values.
  Tensor tensor() {
    return Objects.requireNonNull(x);
  }

  private static Tensor of(Block block) {
    return ((TensorBlock) block).tensor();
  }

  private Tensor next() {
    return numbers.get();
  }

  private Block become(Tensor values) {
    x = values;
    return this;
  }

  private Tensor zero() {
    return Tensor.full(Shape.SCALAR, tensor().dtype(), 0);
  }

  @Override
  public Block set(Block other) {
    return become(of(other));
  }

  @Override
  public Block neg() {
    return become(tensor().neg());
  }

  @Override
  public Block abs() {
    return become(tensor().abs());
  }

  @Override
  public Block sqrt() {
    return become(tensor().sqrt());
  }

  @Override
  public Block add(double number) {
    return become(tensor().add(next()));
  }

  @Override
  public Block mul(double factor) {
    return become(tensor().mul(next()));
  }

  @Override
  public Block div(double divisor) {
    return become(tensor().div(next()));
  }

  @Override
  public Block clamp(double min, double max) {
    Tensor raised = tensor().maximum(next());
    return become(raised.minimum(next()));
  }

  @Override
  public Block addScaled(Block other, double factor) {
    return become(tensor().add(of(other).mul(next())));
  }

  @Override
  public Block sub(Block other) {
    return become(tensor().sub(of(other)));
  }

  @Override
  public Block mulBy(Block other) {
    return become(tensor().mul(of(other)));
  }

  @Override
  public Block divBy(Block other) {
    return become(tensor().div(of(other)));
  }

  @Override
  public Block maximum(Block other) {
    return become(tensor().maximum(of(other)));
  }

  @Override
  public Block addcmul(Block a, Block b, double factor) {
    return become(tensor().add(of(a).mul(next()).mul(of(b))));
  }

  @Override
  public Block addcdiv(Block a, Block b, double factor) {
    return become(tensor().add(of(a).mul(next()).div(of(b))));
  }

  @Override
  public Block bySign(double negative, double zero, double positive) {
    Tensor ofNegative = next();
    Tensor ofZero = next();
    Tensor ofPositive = next();
    Tensor other = ofZero.where(tensor().eq(zero()), tensor());
    Tensor notPositive = ofNegative.where(tensor().lt(zero()), other);
    return become(ofPositive.where(tensor().gt(zero()), notPositive));
  }

  @Override
  public Block zeroWhereNegative(Block other) {
    return become(tensor().maskedFill(of(other).lt(zero()), 0));
  }
}
