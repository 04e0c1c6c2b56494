// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import java.io.Serializable;

/// A method that another worker can be asked to run, as a method reference names it:
/// `Type::method` or `Type::new`. `F` gives a value, `V` gives none, `A` gives a future whose
/// value is the result; the digit counts the arguments, of which an instance method's object is
/// the first.
///
/// Serializable only so that the compiler keeps the name; neither code nor captured values
/// travel.
public sealed interface RemoteFunction extends Serializable {

  /// A value from no argument.
  @FunctionalInterface
  non-sealed interface F0<R> extends RemoteFunction {
    /// Runs it here.
    R apply() throws Exception;
  }

  /// A value from one argument.
  @FunctionalInterface
  non-sealed interface F1<A, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a) throws Exception;
  }

  /// A value from two arguments.
  @FunctionalInterface
  non-sealed interface F2<A, B, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b) throws Exception;
  }

  /// A value from three arguments.
  @FunctionalInterface
  non-sealed interface F3<A, B, C, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b, C c) throws Exception;
  }

  /// A value from four arguments.
  @FunctionalInterface
  non-sealed interface F4<A, B, C, D, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b, C c, D d) throws Exception;
  }

  /// A value from five arguments.
  @FunctionalInterface
  non-sealed interface F5<A, B, C, D, E, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b, C c, D d, E e) throws Exception;
  }

  /// A value from six arguments.
  @FunctionalInterface
  non-sealed interface F6<A, B, C, D, E, F, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b, C c, D d, E e, F f) throws Exception;
  }

  /// A value from seven arguments.
  @FunctionalInterface
  non-sealed interface F7<A, B, C, D, E, F, G, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;
  }

  /// A value from eight arguments.
  @FunctionalInterface
  non-sealed interface F8<A, B, C, D, E, F, G, H, R> extends RemoteFunction {
    /// Runs it here.
    R apply(A a, B b, C c, D d, E e, F f, G g, H h) throws Exception;
  }

  /// Nothing from no argument.
  @FunctionalInterface
  non-sealed interface V0 extends RemoteFunction {
    /// Runs it here.
    void apply() throws Exception;
  }

  /// Nothing from one argument.
  @FunctionalInterface
  non-sealed interface V1<A> extends RemoteFunction {
    /// Runs it here.
    void apply(A a) throws Exception;
  }

  /// Nothing from two arguments.
  @FunctionalInterface
  non-sealed interface V2<A, B> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b) throws Exception;
  }

  /// Nothing from three arguments.
  @FunctionalInterface
  non-sealed interface V3<A, B, C> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b, C c) throws Exception;
  }

  /// Nothing from four arguments.
  @FunctionalInterface
  non-sealed interface V4<A, B, C, D> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b, C c, D d) throws Exception;
  }

  /// Nothing from five arguments.
  @FunctionalInterface
  non-sealed interface V5<A, B, C, D, E> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b, C c, D d, E e) throws Exception;
  }

  /// Nothing from six arguments.
  @FunctionalInterface
  non-sealed interface V6<A, B, C, D, E, F> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b, C c, D d, E e, F f) throws Exception;
  }

  /// Nothing from seven arguments.
  @FunctionalInterface
  non-sealed interface V7<A, B, C, D, E, F, G> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;
  }

  /// Nothing from eight arguments.
  @FunctionalInterface
  non-sealed interface V8<A, B, C, D, E, F, G, H> extends RemoteFunction {
    /// Runs it here.
    void apply(A a, B b, C c, D d, E e, F f, G g, H h) throws Exception;
  }

  /// A future value from no argument.
  @FunctionalInterface
  non-sealed interface A0<R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply() throws Exception;
  }

  /// A future value from one argument.
  @FunctionalInterface
  non-sealed interface A1<A, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a) throws Exception;
  }

  /// A future value from two arguments.
  @FunctionalInterface
  non-sealed interface A2<A, B, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b) throws Exception;
  }

  /// A future value from three arguments.
  @FunctionalInterface
  non-sealed interface A3<A, B, C, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b, C c) throws Exception;
  }

  /// A future value from four arguments.
  @FunctionalInterface
  non-sealed interface A4<A, B, C, D, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b, C c, D d) throws Exception;
  }

  /// A future value from five arguments.
  @FunctionalInterface
  non-sealed interface A5<A, B, C, D, E, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b, C c, D d, E e) throws Exception;
  }

  /// A future value from six arguments.
  @FunctionalInterface
  non-sealed interface A6<A, B, C, D, E, F, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b, C c, D d, E e, F f) throws Exception;
  }

  /// A future value from seven arguments.
  @FunctionalInterface
  non-sealed interface A7<A, B, C, D, E, F, G, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b, C c, D d, E e, F f, G g) throws Exception;
  }

  /// A future value from eight arguments.
  @FunctionalInterface
  non-sealed interface A8<A, B, C, D, E, F, G, H, R> extends RemoteFunction {
    /// Runs it here.
    Future<R> apply(A a, B b, C c, D d, E e, F f, G g, H h) throws Exception;
  }
}
