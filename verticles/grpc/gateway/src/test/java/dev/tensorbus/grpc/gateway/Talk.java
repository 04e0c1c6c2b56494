// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// One call of grpc-java, read a message at a time: nothing is asked for before it is wanted.
final class Talk<Q, R> {
  private static final int PATIENCE_SECONDS = 60;

  private final ClientCall<Q, R> call;
  private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();
  private final CountDownLatch head = new CountDownLatch(1);
  private final Object ready = new Object();

  Talk(Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    call = channel.newCall(method, options);
    call.start(new Listener(), new Metadata());
    call.request(1);
  }

  void send(Q message) {
    call.sendMessage(message);
  }

  /// Sends when HTTP/2 has room for more.
  void sendWhenReady(Q message) throws InterruptedException {
    synchronized (ready) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!call.isReady()) {
        if (System.nanoTime() - end > 0) {
          throw new AssertionError("nobody takes what is sent");
        }
        ready.wait(1000);
      }
    }
    send(message);
  }

  void halfClose() {
    call.halfClose();
  }

  void cancel() {
    call.cancel("the test gives up", null);
  }

  void awaitHead() {
    await(head);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("nothing came");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// The next message; null when the call has ended well.
  R next() {
    try {
      Object event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (event instanceof End end) {
        if (end.status().isOk()) {
          return null;
        }
        throw new StatusRuntimeException(end.status(), end.trailers());
      }
      if (event == null) {
        throw new AssertionError("nothing came");
      }
      call.request(1);
      @SuppressWarnings("unchecked")
      R message = (R) event;
      return message;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private record End(Status status, Metadata trailers) {}

  private final class Listener extends ClientCall.Listener<R> {
    @Override
    public void onHeaders(Metadata headers) {
      head.countDown();
    }

    @Override
    public void onReady() {
      synchronized (ready) {
        ready.notifyAll();
      }
    }

    @Override
    public void onMessage(R message) {
      events.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      head.countDown();
      events.add(new End(status, trailers));
    }
  }
}
