// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.RemoteFunction.F0;
import dev.tensorbus.rpc.RemoteFunction.F1;
import dev.tensorbus.rpc.RemoteFunction.F2;
import dev.tensorbus.rpc.RemoteFunction.V0;

/// The ways to make a call and get its result; what holds in one must hold in all.
@SuppressWarnings("overloads") // javac picks the family by what the method reference returns
enum CallMode {
  /// The caller asks itself.
  LOCAL {
    @Override
    <R> R call(Rpc rpc, String to, Call<R> call) {
      return rpc.call(callee(rpc, to), call);
    }

    @Override
    String callee(Rpc rpc, String to) {
      return rpc.self().name();
    }
  },
  /// `rpcSync`.
  SYNC {
    @Override
    <R> R call(Rpc rpc, String to, Call<R> call) {
      return rpc.call(to, call);
    }
  },
  /// `rpcAsync`.
  ASYNC {
    @Override
    <R> R call(Rpc rpc, String to, Call<R> call) {
      return rpc.send(to, call).await();
    }
  },
  /// `remote`, whose result is then fetched.
  REMOTE {
    @Override
    <R> R call(Rpc rpc, String to, Call<R> call) {
      try (RRef<R> result = rpc.create(to, call)) {
        return result.toHere();
      }
    }
  };

  /// Makes a call and waits for its result.
  abstract <R> R call(Rpc rpc, String to, Call<R> call);

  /// The worker that runs a call to `to`.
  String callee(Rpc rpc, String to) {
    return to;
  }

  <R> R call(Rpc rpc, String to, F0<R> function) {
    return call(rpc, to, Call.<R>of(function));
  }

  <A, R> R call(Rpc rpc, String to, F1<A, R> function, A a) {
    return call(rpc, to, Call.<R>of(function, a));
  }

  <A, B, R> R call(Rpc rpc, String to, F2<A, B, R> function, A a, B b) {
    return call(rpc, to, Call.<R>of(function, a, b));
  }

  <A, R> R call(Rpc rpc, String to, A1<A, R> function, A a) {
    return call(rpc, to, Call.<R>of(function, a));
  }

  Void call(Rpc rpc, String to, V0 function) {
    return call(rpc, to, Call.<Void>of(function));
  }
}
