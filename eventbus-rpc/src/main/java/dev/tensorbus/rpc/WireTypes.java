// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.List;

/// Names the records and enums of a module that may travel in calls. A service: `provides
/// dev.tensorbus.rpc.WireTypes with …` in the module's descriptor, or a file in
/// META-INF/services.
///
/// A worker refuses bytes that hold anything else. Collections, strings, primitives and their
/// arrays, tensors and references need no entry.
public interface WireTypes {
  /// The classes, each with fields that may travel themselves.
  List<Class<?>> types();
}
