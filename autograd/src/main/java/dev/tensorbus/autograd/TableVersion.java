// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A version of a table's values. The next version differs in the rows that
/// [change][#changed], so a step over a few rows costs as much as these, however many the table
/// has. Readers keep the version that they have.
///
/// The newest version has its values in one array. A change writes to that array, and leaves the
/// rows as they were to the version before. An older version finds these rows there and asks the
/// next version for the others. It is Baker's persistent array ("Shallow Binding Makes Functional
/// Arrays Fast").
///
/// Safe for any number of threads. Nobody waits: a reader that meets a change takes the rows that
/// this left.
public final class TableVersion implements Layout {
  private final Shape shape;
  private final int columns;
  private final HeapStorage values;
  private final History history;
  private final AtomicReference<@Nullable Change> changeAfter = new AtomicReference<>();

  /// The rows, in ascending order, that the next version changes, and their values before.
  private static final class Change {
    private final int[] rows;
    private final HeapStorage before;
    private final TableVersion next;

    /// So many of the rows have their values in `before`. The others have yet to change.
    private volatile int saved;

    private Change(int[] rows, HeapStorage before, TableVersion next) {
      this.rows = rows;
      this.before = before;
      this.next = next;
    }
  }

  /// Computes next values of rows.
  public interface RowChange {
    /// Computes them for some of the rows that change.
    ///
    /// @param first the first of them, counted among all that change
    /// @param end the one after the last
    /// @param before the values of all that change, one row after another, up to `end`
    /// @param next takes the next values of these rows, from 0 on
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

  /// The version that a tensor of one axis at least has, or the first one, with a copy of its
  /// values.
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

  /// Returns a copy of these rows, one after another.
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

  /// The changes since this version, the first one first. Asked for after values were read: a row
  /// is saved before it changes, so one that is not saved by then was read as it was.
  private List<Change> changes() {
    VarHandle.acquireFence();
    List<Change> changes = new ArrayList<>();
    for (Change each = changeAfter.get(); each != null; each = each.next.changeAfter.get()) {
      changes.add(each);
    }
    return changes;
  }

  /// Copies a row as this version has it, if it has changed since.
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

  /// The next version. A second one after the same version costs a copy of the table, and so does
  /// the next one after a change that failed. This version stays readable.
  ///
  /// @param rows that change, each once, in ascending order
  /// @param atATime how many rows to compute at once
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

  /// Bounds what a version keeps that somebody holds on to: once as many rows have changed as the
  /// table has, and the garbage collector finds the version with which that began still in use, the
  /// next version gets an array of its own.
  ///
  /// @param first the version with which it began
  /// @param collected empty after the next collection; before that, nobody knows what is in use
  /// @param changed how many rows have changed since
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
