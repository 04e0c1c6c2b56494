// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.memory;

import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/// Passes frames to workers of the same JVM, on their event loops, without the event bus.
public final class MemoryTransport implements Transport {
  private final Endpoint worker;
  private final Map<Sender, MemoryTransport> network;
  private final LongAdder sentBytes = new LongAdder();
  private final Map<Sender, LongAdder> sentTo = new ConcurrentHashMap<>();
  private volatile BiConsumer<Frame, String> handler;

  /// The workers that can reach each other.
  public static final class Network {
    private final Map<Sender, MemoryTransport> receivers = new ConcurrentHashMap<>();

    /// Returns the transport of another worker.
    public Transport connect(Endpoint worker) {
      return new MemoryTransport(worker, receivers);
    }
  }

  private MemoryTransport(Endpoint worker, Map<Sender, MemoryTransport> network) {
    this.worker = worker;
    this.network = network;
  }

  @Override
  public Future<Void> start(BiConsumer<Frame, String> handler) {
    this.handler = handler;
    network.put(worker.self(), this);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> send(Sender to, Frame frame) {
    MemoryTransport receiver = network.get(to);
    if (receiver == null) {
      return Future.failedFuture(to.info() + " does not receive");
    }
    sentBytes.add(frame.bytes().length);
    sentTo.computeIfAbsent(to, any -> new LongAdder()).add(frame.bytes().length);
    receiver.receive(frame, worker.node());
    return Future.succeededFuture();
  }

  private void receive(Frame frame, String node) {
    worker.loop().runOnContext(ignored -> handler.accept(frame, node));
  }

  @Override
  public void forget(Sender gone) {}

  @Override
  public long sentBytes() {
    return sentBytes.sum();
  }

  @Override
  public long sentBytes(Sender to) {
    LongAdder sent = sentTo.get(to);
    return sent == null ? 0 : sent.sum();
  }

  @Override
  public Future<Void> stop() {
    network.remove(worker.self());
    return Future.succeededFuture();
  }
}
