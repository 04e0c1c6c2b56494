// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Map;

/// A record of the tests' own that travels.
public record Parcel(int weight, List<List<Tensor>> content, Map<Tensor, String> labels) {
  /// With nothing in it.
  @Remote
  static Parcel empty(int weight) {
    return new Parcel(weight, List.of(), Map.of());
  }

  @Remote
  public Parcel {}

  @Remote
  int weightWith(int more) {
    return weight + more;
  }

  @Remote
  static Parcel send(Parcel parcel) {
    return parcel;
  }

  /// Lets the records of the tests travel.
  public static final class Types implements WireTypes {
    /// For the service loader.
    public Types() {}

    @Override
    public List<Class<?>> types() {
      return List.of(Parcel.class, Fuse.class, CallPathTest.Note.class);
    }
  }
}
