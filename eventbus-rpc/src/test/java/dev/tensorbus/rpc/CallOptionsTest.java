// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Options that are chosen one after another.
class CallOptionsTest {
  private static final Map<UnaryOperator<CallOptions>, Function<CallOptions, Object>> SETTINGS =
      Map.of(
          options -> options.withTimeout(Duration.ofSeconds(7)),
          CallOptions::timeout,
          options -> options.withRetry(Duration.ofMillis(70)),
          CallOptions::retryAfter,
          CallOptions::failingWhenBusy,
          CallOptions::failsWhenBusy,
          options -> options.continuingOn(Execution.EVENT_LOOP),
          CallOptions::continuation);

  /// Takes down the options of its calls.
  private static final class Recorder implements Calls {
    private final List<CallOptions> made = new ArrayList<>();

    @Override
    public <R> Future<R> send(CharSequence to, Call<R> call) {
      made.add(call.options());
      return Future.succeededFuture();
    }

    @Override
    public <R> R call(CharSequence to, Call<R> call) {
      throw new AssertionError();
    }

    @Override
    public <R> RRef<R> create(CharSequence to, Call<R> call) {
      throw new AssertionError();
    }
  }

  @Test
  void eachPairOfSettingsHoldsInWhateverWayItIsGiven() {
    SETTINGS.forEach(
        (first, get) ->
            SETTINGS
                .keySet()
                .forEach(
                    second -> {
                      CallOptions one = first.apply(CallOptions.DEFAULT);
                      CallOptions other = second.apply(CallOptions.DEFAULT);
                      Object expected = get.apply(one);
                      Recorder calls = new Recorder();
                      Call<Object> call = Call.named("dev.tensorbus.rpc.Probe.count");
                      calls.with(second.apply(one)).send("a", call);
                      calls.with(one).with(other).send("a", call);
                      calls.with(other).with(one).send("a", call);
                      calls.with(one).send("a", call.with(other));
                      calls.with(other).send("a", call.with(one));
                      calls.send("a", call.with(one).with(other));
                      assertThat(calls.made).hasSize(6).extracting(get).containsOnly(expected);
                    }));
  }

  @Test
  void theLaterOfTwoValuesHolds() {
    Recorder calls = new Recorder();
    Call<Object> call = Call.named("dev.tensorbus.rpc.Probe.count");
    CallOptions minute = CallOptions.timeout(Duration.ofMinutes(1));
    CallOptions second = CallOptions.timeout(Duration.ofSeconds(1));
    calls.with(minute).with(second).send("a", call);
    calls.with(minute).send("a", call.with(second));
    assertThat(calls.made).extracting(CallOptions::timeout).containsOnly(Duration.ofSeconds(1));
  }
}
