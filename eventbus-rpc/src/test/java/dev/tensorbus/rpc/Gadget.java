// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializable;
import java.util.concurrent.atomic.AtomicInteger;

/// A class that no worker should create because a value in the cluster names it. Hazelcast does so
/// by the constructor without parameters.
@SuppressWarnings("exports") // of Hazelcast, an automatic module
public final class Gadget implements DataSerializable {
  static final AtomicInteger MADE = new AtomicInteger();

  public Gadget() {
    MADE.incrementAndGet();
  }

  /// One to be sent.
  static Gadget toSend() {
    Gadget gadget = new Gadget();
    MADE.decrementAndGet();
    return gadget;
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}
}
