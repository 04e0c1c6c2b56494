// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.io.Serializable;

/// A method that can be called on another worker, given as a method reference: `Type::method` or
/// `Type::new`. An `F` returns a value, a `V` returns nothing, an `A` returns a future whose value
/// is the result. The digit is the number of arguments, including the receiver of an instance
/// method.
///
/// Serializable only so that the compiler retains the name; neither code nor captured values are
/// sent.
public sealed interface RemoteFunction extends Serializable {

  /// A method with no arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F0<R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply() throws Exception;
  }

  /// A method with one argument that returns a value.
  @FunctionalInterface
  non-sealed interface F1<A, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a) throws Exception;
  }

  /// A method with two arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F2<A, B, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b) throws Exception;
  }

  /// A method with three arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F3<A, B, C, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b, C c) throws Exception;
  }

  /// A method with four arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F4<A, B, C, D, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b, C c, D d) throws Exception;
  }

  /// A method with five arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F5<A, B, C, D, E, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b, C c, D d, E e) throws Exception;
  }

  /// A method with six arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F6<A, B, C, D, E, F, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b, C c, D d, E e, F f) throws Exception;
  }

  /// A method with seven arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F7<A, B, C, D, E, F, G, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;
  }

  /// A method with eight arguments that returns a value.
  @FunctionalInterface
  non-sealed interface F8<A, B, C, D, E, F, G, H, R> extends RemoteFunction {
    /// Runs the method on this worker.
    R apply(A a, B b, C c, D d, E e, F f, G g, H h) throws Exception;
  }

  /// A void method with no arguments.
  @FunctionalInterface
  non-sealed interface V0 extends RemoteFunction {
    /// Runs the method on this worker.
    void apply() throws Exception;
  }

  /// A void method with one argument.
  @FunctionalInterface
  non-sealed interface V1<A> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a) throws Exception;
  }

  /// A void method with two arguments.
  @FunctionalInterface
  non-sealed interface V2<A, B> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b) throws Exception;
  }

  /// A void method with three arguments.
  @FunctionalInterface
  non-sealed interface V3<A, B, C> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b, C c) throws Exception;
  }

  /// A void method with four arguments.
  @FunctionalInterface
  non-sealed interface V4<A, B, C, D> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b, C c, D d) throws Exception;
  }

  /// A void method with five arguments.
  @FunctionalInterface
  non-sealed interface V5<A, B, C, D, E> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b, C c, D d, E e) throws Exception;
  }

  /// A void method with six arguments.
  @FunctionalInterface
  non-sealed interface V6<A, B, C, D, E, F> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b, C c, D d, E e, F f) throws Exception;
  }

  /// A void method with seven arguments.
  @FunctionalInterface
  non-sealed interface V7<A, B, C, D, E, F, G> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;
  }

  /// A void method with eight arguments.
  @FunctionalInterface
  non-sealed interface V8<A, B, C, D, E, F, G, H> extends RemoteFunction {
    /// Runs the method on this worker.
    void apply(A a, B b, C c, D d, E e, F f, G g, H h) throws Exception;
  }

  /// An asynchronous method with no arguments.
  @FunctionalInterface
  non-sealed interface A0<R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply() throws Exception;
  }

  /// An asynchronous method with one argument.
  @FunctionalInterface
  non-sealed interface A1<A, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a) throws Exception;
  }

  /// An asynchronous method with two arguments.
  @FunctionalInterface
  non-sealed interface A2<A, B, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b) throws Exception;
  }

  /// An asynchronous method with three arguments.
  @FunctionalInterface
  non-sealed interface A3<A, B, C, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b, C c) throws Exception;
  }

  /// An asynchronous method with four arguments.
  @FunctionalInterface
  non-sealed interface A4<A, B, C, D, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b, C c, D d) throws Exception;
  }

  /// An asynchronous method with five arguments.
  @FunctionalInterface
  non-sealed interface A5<A, B, C, D, E, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b, C c, D d, E e) throws Exception;
  }

  /// An asynchronous method with six arguments.
  @FunctionalInterface
  non-sealed interface A6<A, B, C, D, E, F, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b, C c, D d, E e, F f) throws Exception;
  }

  /// An asynchronous method with seven arguments.
  @FunctionalInterface
  non-sealed interface A7<A, B, C, D, E, F, G, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;
  }

  /// An asynchronous method with eight arguments.
  @FunctionalInterface
  non-sealed interface A8<A, B, C, D, E, F, G, H, R> extends RemoteFunction {
    /// Runs the method on this worker.
    Future<R> apply(A a, B b, C c, D d, E e, F f, G g, H h) throws Exception;
  }
}
