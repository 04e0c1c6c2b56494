// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.List;

/// The records and enums of a module that may be sent in calls. Registered as a service, with
/// `provides dev.tensorbus.rpc.WireTypes with …` in the module descriptor or a file in
/// META-INF/services.
///
/// A worker rejects values of unregistered classes. Collections, strings, primitives and their
/// arrays, tensors and references need not be registered.
public interface WireTypes {
  /// Returns the classes; the types of their fields must be sendable themselves.
  List<Class<?>> types();
}
