// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.WireTensor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A transfer is loaded, taken back and read at the same time. No slot stays full for it, and
/// nothing of it is left under way.
@JCStressTest
@State
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "all slots are free, no transfer is under way")
public class SlotWriterRace {
  private static final List<WireTensor> TENSORS = List.of(WireTensor.of(Tensor.zeros(4), false));

  private final FakeSlots slots = new FakeSlots();
  private final SlotWriter writer =
      new SlotWriter(slots, () -> 1, new IdleStrategies(IdleMode.PARK, NanoClock.SYSTEM));
  private final Outgoing transfer = writer.add(GatherBuffer.of(TENSORS), Long.MAX_VALUE >> 1);

  /// Slots of one memory, which nobody reads: 0 is free, everything else a tag.
  private static final class FakeSlots implements Slots.Out {
    private static final MemorySegment MEMORY = MemorySegment.ofArray(new byte[CHUNK]);

    private final AtomicLongArray tags = new AtomicLongArray(COUNT);

    @Override
    public MemorySegment slot(int slot) {
      return MEMORY;
    }

    @Override
    public void close() {}

    @Override
    public boolean isFree(int slot) {
      return tags.get(slot) == 0;
    }

    @Override
    public IdleStrategy idleStrategy(IdleStrategies strategies) {
      throw new AssertionError("the transfer fits");
    }

    @Override
    public void fill(int slot, long tag, int bytes) {
      tags.set(slot, tag);
    }

    @Override
    public boolean takeBack(int slot) {
      return tags.getAndSet(slot, 0) != 0;
    }

    int full() {
      int full = 0;
      for (int slot = 0; slot < COUNT; slot++) {
        full += tags.get(slot) == 0 ? 0 : 1;
      }
      return full;
    }
  }

  /// Puts the transfer into a slot.
  @Actor
  public void load() {
    transfer.start();
  }

  /// Takes it back.
  @Actor
  public void end() {
    transfer.end();
  }

  /// Takes the first chunk out if it is there, as the reader does.
  @Actor
  public void read() {
    slots.tags.set(0, 0);
  }

  /// What is left.
  @Arbiter
  public void look(II_Result result) {
    result.r1 = slots.full();
    result.r2 = writer.tidy();
  }
}
