// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;

/// The memory that a writer and a reader share: a head, a word for each slot that says what is in
/// it, and the slots.
///
/// The words are the credit: the writer fills a slot only when its word is [#FREE] and then
/// stores the chunk's tag in it; the reader swaps the tag for [#READING], copies, and stores
/// [#FREE]. A writer that gives a chunk up swaps its tag for [#FREE], which fails when the reader
/// was first. Whatever else stands in a word is a chunk that nobody asks for.
final class Slots implements AutoCloseable {
  /// So many slots of so many bytes stay in the caches of a core and its neighbours.
  static final int COUNT = 32;

  static final int CHUNK = 256 << 10;

  static final long FREE = 0;
  static final long READING = -1;

  private static final int CHUNK_BITS = 24;
  private static final long MAX_TICKET = (1L << (Long.SIZE - 1 - CHUNK_BITS)) - 1;
  private static final int MAX_CHUNKS = 1 << CHUNK_BITS;

  private static final long MAGIC = 0x314c_7375_6265_7354L;
  private static final int TOKEN_AT = Long.BYTES;
  private static final int COUNT_AT = 2 * Long.BYTES;
  private static final int CHUNK_AT = 3 * Long.BYTES;

  /// Words of different slots must not share a cache line: both sides write to them.
  private static final int LINE = 64;

  private static final int PAGE = 4096;
  private static final int FIRST_SLOT = PAGE + COUNT * LINE + PAGE - (COUNT * LINE) % PAGE;

  /// The size of the whole.
  static final long SIZE = FIRST_SLOT + (long) COUNT * CHUNK;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  private Slots(FileChannel file) throws IOException {
    memory = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
  }

  /// Maps a file of [#SIZE] zeros and names it.
  static Slots create(FileChannel file, long token) throws IOException {
    Slots slots = new Slots(file);
    slots.memory.set(ValueLayout.JAVA_LONG, TOKEN_AT, token);
    slots.memory.set(ValueLayout.JAVA_LONG, COUNT_AT, COUNT);
    slots.memory.set(ValueLayout.JAVA_LONG, CHUNK_AT, CHUNK);
    WORD.setRelease(slots.memory, 0L, MAGIC);
    return slots;
  }

  /// Maps a file that another worker has made.
  ///
  /// @throws IOException if it is not the one of this token
  static Slots open(FileChannel file, long token) throws IOException {
    if (file.size() != SIZE) {
      throw new IOException("a lane's file has " + SIZE + " bytes, this one " + file.size());
    }
    Slots slots = new Slots(file);
    if ((long) WORD.getAcquire(slots.memory, 0L) != MAGIC
        || slots.memory.get(ValueLayout.JAVA_LONG, TOKEN_AT) != token
        || slots.memory.get(ValueLayout.JAVA_LONG, COUNT_AT) != COUNT
        || slots.memory.get(ValueLayout.JAVA_LONG, CHUNK_AT) != CHUNK) {
      slots.close();
      throw new IOException("not the file that was offered");
    }
    return slots;
  }

  /// How many chunks so many bytes take.
  static long chunks(long bytes) {
    return (bytes + CHUNK - 1) / CHUNK;
  }

  /// Whether there are tags for so many bytes under this ticket.
  static boolean canTag(long ticket, long bytes) {
    return ticket > 0 && ticket <= MAX_TICKET && bytes > 0 && chunks(bytes) <= MAX_CHUNKS;
  }

  /// The word of a slot that holds this chunk.
  static long tag(long ticket, long chunk) {
    return ticket << CHUNK_BITS | chunk;
  }

  private static long at(int slot) {
    return PAGE + (long) slot * LINE;
  }

  /// What is in a slot; what was written to it before is seen.
  long word(int slot) {
    return (long) WORD.getAcquire(memory, at(slot));
  }

  /// Lets the other side see a slot as it is now.
  void publish(int slot, long word) {
    WORD.setRelease(memory, at(slot), word);
  }

  /// Changes a word, unless the other side was first.
  boolean swap(int slot, long expected, long word) {
    return WORD.compareAndSet(memory, at(slot), expected, word);
  }

  /// A slot's bytes.
  MemorySegment slot(int slot) {
    return memory.asSlice(FIRST_SLOT + (long) slot * CHUNK, CHUNK);
  }

  /// Gives the memory back. Who uses it meanwhile gets an [IllegalStateException].
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
