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
/// Unless [#execution] says otherwise, a call runs on a virtual thread of its own: it may block,
/// and it may call other workers, its caller too. Calls run at the same time, so the object guards
/// its state. A method that returns a `Future` holds no thread while it waits; the answer leaves
/// when the future completes (torch's `rpc.functions.async_execution`). The name must not be
/// overloaded.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Remote {
  /// Which thread runs it. A virtual thread is right for every method. An event loop saves two
  /// hand-overs between threads, and is right only for a method that never waits.
  Execution execution() default Execution.VIRTUAL_THREAD;
}
