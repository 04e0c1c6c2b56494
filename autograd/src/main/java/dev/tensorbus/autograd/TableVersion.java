// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// An immutable version of a table's values. [#changed] creates the next version, which differs in
/// some rows, at a cost proportional to these rows and not to the size of the table.
///
/// The newest version stores its values in one array. A change overwrites rows of that array and
/// saves their old values for the previous version. An older version reads these rows from the
/// saved values and all others from the next version. This is Baker's persistent array ("Shallow
/// Binding Makes Functional Arrays Fast").
///
/// Thread-safe, and lock-free for readers: during a change, they read the old values from the saved
/// rows.
public final class TableVersion implements Layout {
  private final Shape shape;
  private final int columns;
  private final HeapStorage values;
  private final History history;
  private final AtomicReference<@Nullable Change> changeAfter = new AtomicReference<>();

  /// The rows that the next version changes, in ascending order, and their old values.
  private static final class Change {
    private final int[] rows;
    private final HeapStorage before;
    private final TableVersion next;

    /// The number of rows whose old values are in `before`; the remaining rows have yet to change.
    private volatile int saved;

    private Change(int[] rows, HeapStorage before, TableVersion next) {
      this.rows = rows;
      this.before = before;
      this.next = next;
    }
  }

  /// Computes the new values of changed rows.
  public interface RowChange {
    /// Computes the new values of a range of the changed rows.
    ///
    /// @param first the index of the first row of the range among all changed rows
    /// @param end the index after the last row of the range
    /// @param before the old values of the changed rows before `end`, one row after another
    /// @param next receives the new values of the range, from index 0
    void compute(int first, int end, HeapStorage before, HeapStorage next);
  }

  private TableVersion(Shape shape, HeapStorage values) {
    this.shape = shape;
    this.columns = columnsOf(shape);
    this.values = values;
    this.history = new History(this);
  }

  private TableVersion(TableVersion before, int changedRows) {
    this.shape = before.shape;
    this.columns = before.columns;
    this.values = before.values;
    this.history = before.history.after(before, changedRows);
  }

  private static int columnsOf(Shape shape) {
    return shape.size(0) == 0 ? 0 : shape.elements() / shape.size(0);
  }

  /// Returns the version that already holds a tensor's values, or, if there is none, a first
  /// version with a copy of them. The tensor needs at least one axis.
  public static TableVersion of(Tensor table) {
    return table.layout() instanceof TableVersion present
        ? present
        : new TableVersion(table.shape(), table.heap().copy());
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public DType dtype() {
    return values.dtype();
  }

  /// Returns a copy of the given rows, one after another.
  public HeapStorage take(int... rows) {
    HeapStorage taken = HeapStorage.zeros(dtype(), rows.length * columns);
    for (int i = 0; i < rows.length; i++) {
      copyRow(values, rows[i], taken, i);
    }
    List<Change> changes = changes();
    for (int i = 0; i < rows.length && !changes.isEmpty(); i++) {
      restore(changes, rows[i], taken, i);
    }
    return taken;
  }

  /// Returns the changes since this version, oldest first. Must be called after reading values: a
  /// row is saved before it changes, so a row that is not saved by then was read unchanged.
  private List<Change> changes() {
    VarHandle.acquireFence();
    List<Change> changes = new ArrayList<>();
    for (Change each = changeAfter.get(); each != null; each = each.next.changeAfter.get()) {
      changes.add(each);
    }
    return changes;
  }

  /// If `row` has changed since this version, overwrites row `i` of `taken` with the saved values.
  private void restore(List<Change> changes, int row, HeapStorage taken, int i) {
    for (Change each : changes) {
      int place = Arrays.binarySearch(each.rows, row);
      if (place >= 0) {
        if (place < each.saved) {
          copyRow(each.before, place, taken, i);
        }
        return;
      }
    }
  }

  @Override
  public HeapStorage dense() {
    HeapStorage dense = values.copy();
    for (Change each : changes().reversed()) {
      int saved = each.saved;
      for (int i = 0; i < saved; i++) {
        copyRow(each.before, i, dense, each.rows[i]);
      }
    }
    return dense;
  }

  /// Returns the next version; this version remains readable. Copies the table if this version was
  /// changed before, even if that change failed, or if old versions still in use would retain too
  /// much memory.
  ///
  /// @param rows the rows to change, each once, in ascending order
  /// @param atATime the maximum number of rows to compute in one call
  public TableVersion changed(int[] rows, int atATime, RowChange change) {
    TableVersion version = new TableVersion(this, rows.length);
    Change made = new Change(rows, HeapStorage.zeros(dtype(), rows.length * columns), version);
    if (history.isHeld(this) || !changeAfter.compareAndSet(null, made)) {
      return new TableVersion(shape, dense()).changed(rows, atATime, change);
    }
    HeapStorage next = HeapStorage.zeros(dtype(), Math.min(atATime, rows.length) * columns);
    for (int first = 0; first < rows.length; first += atATime) {
      int end = Math.min(first + atATime, rows.length);
      for (int i = first; i < end; i++) {
        copyRow(values, rows[i], made.before, i);
      }
      made.saved = end;
      VarHandle.storeStoreFence();
      change.compute(first, end, made.before, next);
      for (int i = first; i < end; i++) {
        copyRow(next, i - first, values, rows[i]);
      }
    }
    return version;
  }

  private void copyRow(HeapStorage from, int place, HeapStorage to, int toPlace) {
    from.copyTo(place * columns, to, toPlace * columns, columns);
  }

  /// Bounds the memory that an old version retains while it is in use. Once the number of changed
  /// rows reaches the size of the table, and the first version of this history has survived a
  /// garbage collection, the next version gets a separate array.
  ///
  /// @param first the first version of this history
  /// @param collected cleared by the next garbage collection; before that, it is unknown which
  ///     versions are in use
  /// @param changed the number of rows changed since `first`
  private record History(
      WeakReference<TableVersion> first, WeakReference<Object> collected, long changed) {
    History(TableVersion first) {
      this(new WeakReference<>(first), new WeakReference<>(new Object()), 0);
    }

    private boolean isOver(TableVersion newest) {
      return changed >= newest.shape.size(0) && collected.refersTo(null);
    }

    boolean isHeld(TableVersion newest) {
      return isOver(newest) && !first.refersTo(null);
    }

    History after(TableVersion newest, int rows) {
      return isOver(newest) ? new History(newest) : new History(first, collected, changed + rows);
    }
  }
}
