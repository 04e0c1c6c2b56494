// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Graph;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A graph with fixed shapes, loaded in ONNX Runtime. Thread-safe: concurrent runs use separate
/// buffers, which later runs reuse.
public final class Session implements AutoCloseable {
  private final Graph graph;
  private final OrtSession session;
  private final ConcurrentLinkedDeque<Buffers> idle = new ConcurrentLinkedDeque<>();

  /// Runs hold the read lock; [#close] takes the write lock.
  private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

  private boolean closed;

  public Session(Graph graph, Provider provider) {
    this.graph = graph;
    this.session = OnnxRuntime.session(graph, provider);
  }

  /// Computes the outputs from the inputs, both in the graph's order.
  ///
  /// @throws ClosedException if this is closed
  public List<Tensor> run(List<Tensor> inputs) {
    life.readLock().lock();
    try {
      if (closed) {
        throw new ClosedException();
      }
      Buffers buffers = idle.poll();
      if (buffers == null) {
        buffers = new Buffers(graph);
      }
      try {
        return buffers.run(session, inputs);
      } finally {
        idle.push(buffers);
      }
    } catch (OrtException e) {
      throw new OnnxException("ONNX Runtime failed: " + OnnxRuntime.reason(e), e);
    } finally {
      life.readLock().unlock();
    }
  }

  /// Thrown if the session was closed before a run began.
  public static final class ClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ClosedException() {
      super("closed");
    }
  }

  /// Waits for current runs to finish and frees all native memory.
  @Override
  public void close() {
    life.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      idle.forEach(Buffers::close);
      session.close();
    } catch (OrtException e) {
      throw new OnnxException("cannot close ONNX Runtime's session: " + e.getMessage(), e);
    } finally {
      life.writeLock().unlock();
    }
  }
}
