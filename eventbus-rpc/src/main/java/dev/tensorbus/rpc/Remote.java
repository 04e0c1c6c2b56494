// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Allows other workers to call this method or constructor. A worker rejects calls of anything
/// else, except tensor operations and the `forward` methods of layers.
///
/// Unless [#execution] says otherwise, each call runs on a new virtual thread: the method may
/// block, and may call other workers, including its caller. Calls run concurrently, so the object
/// must be thread-safe. A method that returns a `Future` occupies no thread while the future is
/// pending; the answer is sent when the future completes (torch's `rpc.functions.async_execution`).
/// Annotated methods of one class must have different names.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Remote {
  /// The thread that runs the method. A virtual thread suits every method. An event loop saves two
  /// thread hand-overs, but suits only methods that never block.
  Execution execution() default Execution.VIRTUAL_THREAD;
}
