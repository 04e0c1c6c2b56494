// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.CallScope;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Collects the futures and the references of a block. When the block ends, waits for the futures
/// and closes the references. Thread-safe.
final class CollectingScope implements CallScope {
  private final Rpc rpc;
  private final List<Future<?>> calls = new ArrayList<>();
  private final List<RRef<?>> references = new ArrayList<>();
  private boolean isClosed;

  CollectingScope(Rpc rpc) {
    this.rpc = rpc;
  }

  private synchronized <R> Future<R> collect(Supplier<Future<R>> send) {
    requireOpen();
    Future<R> call = send.get();
    calls.add(call);
    return call;
  }

  private synchronized <T> RRef<T> collectReference(Supplier<RRef<T>> make) {
    requireOpen();
    RRef<T> reference = make.get();
    references.add(reference);
    return reference;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("this scope has ended; open another with rpc.scope()");
    }
  }

  @Override
  public <R> Future<R> send(CharSequence to, Call<R> call) {
    return collect(() -> rpc.send(to, call));
  }

  @Override
  public <R> R call(CharSequence to, Call<R> call) {
    return rpc.call(to, call);
  }

  @Override
  public <R> RRef<R> create(CharSequence to, Call<R> call) {
    return collectReference(() -> rpc.create(to, call));
  }

  @Override
  public <T> ObjectCalls<T> on(RRef<T> reference) {
    return new ObjectScope<>(this, reference);
  }

  @Override
  public <T> RRef<T> keep(RRef<T> reference) {
    return collectReference(() -> reference);
  }

  @Override
  public synchronized List<Future<?>> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    try {
      VirtualThreads.await(Future.all(calls()));
    } finally {
      calls().forEach(rpc::cancel);
      references.forEach(RRef::close);
    }
  }

  /// The calls of one object's methods within a scope.
  private record ObjectScope<T>(CollectingScope scope, RRef<T> reference)
      implements ObjectCalls<T> {
    @Override
    public <R> Future<R> send(Call<R> call) {
      return scope.collect(() -> reference.send(call));
    }

    @Override
    public <R> R call(Call<R> call) {
      return reference.call(call);
    }

    @Override
    public <R> RRef<R> create(Call<R> call) {
      return scope.collectReference(() -> reference.create(call));
    }
  }
}
