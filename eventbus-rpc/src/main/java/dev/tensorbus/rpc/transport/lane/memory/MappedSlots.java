// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.memory;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;

/// Slots in memory shared by writer and reader: a header, a state word for each slot, and the slots
/// themselves.
///
/// The writer fills a slot only while the slot's word is [#FREE], and then stores the chunk's tag
/// in the word. The reader swaps the tag for [#READING], copies the chunk, and stores [#FREE]. To
/// cancel a chunk, the writer swaps the tag for [#FREE], which fails if the reader was first.
public final class MappedSlots implements Slots.Out, Slots.In {
  static final long FREE = 0;
  private static final long READING = -1;

  private static final long MAGIC = 0x314c_7375_6265_7354L;
  private static final int TOKEN_AT = Long.BYTES;
  private static final int COUNT_AT = 2 * Long.BYTES;
  private static final int CHUNK_AT = 3 * Long.BYTES;

  /// The words of different slots must not share a cache line, since both sides write to them.
  private static final int LINE = 64;

  private static final int PAGE = 4096;
  private static final int FIRST_SLOT = PAGE + COUNT * LINE + PAGE - (COUNT * LINE) % PAGE;

  /// The size of the file in bytes.
  static final long SIZE = FIRST_SLOT + (long) COUNT * CHUNK;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  private MappedSlots(FileChannel file) throws IOException {
    memory = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
  }

  /// Maps a file of [#SIZE] zeros and stores the token in it.
  static MappedSlots create(FileChannel file, long token) throws IOException {
    MappedSlots slots = new MappedSlots(file);
    slots.memory.set(ValueLayout.JAVA_LONG, TOKEN_AT, token);
    slots.memory.set(ValueLayout.JAVA_LONG, COUNT_AT, COUNT);
    slots.memory.set(ValueLayout.JAVA_LONG, CHUNK_AT, CHUNK);
    WORD.setRelease(slots.memory, 0L, MAGIC);
    return slots;
  }

  /// Maps a file that another worker has created.
  ///
  /// @throws IOException if the file does not contain this token
  static MappedSlots open(FileChannel file, long token) throws IOException {
    if (file.size() != SIZE) {
      throw new IOException("a lane's file has " + SIZE + " bytes, this one " + file.size());
    }
    MappedSlots slots = new MappedSlots(file);
    if ((long) WORD.getAcquire(slots.memory, 0L) != MAGIC
        || slots.memory.get(ValueLayout.JAVA_LONG, TOKEN_AT) != token
        || slots.memory.get(ValueLayout.JAVA_LONG, COUNT_AT) != COUNT
        || slots.memory.get(ValueLayout.JAVA_LONG, CHUNK_AT) != CHUNK) {
      slots.close();
      throw new IOException("not the file that was offered");
    }
    return slots;
  }

  private static long at(int slot) {
    return PAGE + (long) slot * LINE;
  }

  /// Returns the state word of a slot. Everything written to the slot before the word becomes
  /// visible to this thread.
  long word(int slot) {
    return (long) WORD.getAcquire(memory, at(slot));
  }

  /// Makes the current content of a slot visible to the other side.
  public void publish(int slot, long word) {
    WORD.setRelease(memory, at(slot), word);
  }

  private boolean swap(int slot, long expected, long word) {
    return WORD.compareAndSet(memory, at(slot), expected, word);
  }

  /// Returns a polling strategy, since Java cannot wake a thread of another process.
  @Override
  public IdleStrategy idleStrategy(IdleStrategies strategies) {
    return strategies.forOtherProcess();
  }

  @Override
  public IdleStrategy idleStrategy(long transferId, IdleStrategies strategies) {
    return strategies.forOtherProcess();
  }

  @Override
  public boolean isFree(int slot) {
    return word(slot) == FREE;
  }

  @Override
  public void fill(int slot, long tag, int bytes) {
    publish(slot, tag);
  }

  @Override
  public boolean takeBack(int slot) {
    long word = word(slot);
    return word == FREE || (word != READING && swap(slot, word, FREE));
  }

  @Override
  public boolean holds(int slot, long tag) {
    return word(slot) == tag;
  }

  @Override
  public int take(int slot, long tag) {
    return swap(slot, tag, READING) ? CHUNK : -1;
  }

  @Override
  public void free(int slot) {
    publish(slot, FREE);
  }

  @Override
  public MemorySegment slot(int slot) {
    return memory.asSlice(FIRST_SLOT + (long) slot * CHUNK, CHUNK);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
