// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Lets other workers call this method or constructor. A worker runs nothing else that a message
/// names.
///
/// A call runs on a virtual thread of its own: it may block, and it may call other workers, its
/// caller too. Calls run at the same time, so the object guards its state. A method that returns
/// a `Future` holds no thread while it waits; the answer leaves when the future completes
/// (torch's `rpc.functions.async_execution`). The name must not be overloaded.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Remote {
  /// Whether it takes microseconds and never waits. It then runs at once on the event loop that
  /// took the message, which saves two hand-overs between threads, and holds up all other calls
  /// meanwhile. If it waits nevertheless, as `rpcSync` does, that fails with an
  /// [IllegalStateException]; it may well call `rpcAsync` and return its future.
  ///
  /// A virtual thread runs it all the same where something must be waited for first, or copied at
  /// length: its object is not made yet, or there are references or many bytes among its
  /// arguments.
  boolean brief() default false;

  /// Whether it only computes: it never waits, as the operations of tensors do not. How long it
  /// takes is learnt from its runs, and while that is little it runs as a brief method does.
  boolean onlyComputes() default false;
}
