// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Exports a static [dev.tensorbus.rpc.Remote] method to callers outside the world; see [Exports].
/// The method may take and return tensors, numbers, booleans, strings, and lists and maps of these.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Exported {
  /// The name that callers use.
  String value();
}
