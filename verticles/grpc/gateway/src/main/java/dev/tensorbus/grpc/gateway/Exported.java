// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Registers a static method, which is [dev.tensorbus.rpc.Remote] too, for callers from outside:
/// see [Exports]. It takes and gives tensors, numbers, booleans, strings, and lists and maps of
/// these.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Exported {
  /// The name that callers use.
  String value();
}
