// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.TraceContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The place of a call in a trace travels in its request.
class TraceContextTest {
  private static final TraceContext TRACE =
      new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");

  private static Frame request(@Nullable TraceContext trace) {
    Sender sender = new Sender(new WorkerInfo("worker1", 1), 5);
    FunctionName function = new FunctionName("Server", "update");
    Output out = new Output(8);
    int start = out.beginPart(3);
    if (trace != null) {
      trace.write(out);
    }
    out.endPart(start);
    Request.Head head =
        new Request.Head(1, 1, sender, 1000, false, false, function, Attached.of(out));
    Payload payload = new Payload(Payload.IN_MESSAGE, List.of(), new byte[0]);
    return new Request(head, payload).toFrame();
  }

  private static List<TraceContext> traces(Request.Head head) {
    List<TraceContext> traces = new ArrayList<>();
    head.attached()
        .forEach(
            (id, in) -> {
              assertThat(id).isEqualTo(3);
              traces.add(TraceContext.read(in));
            });
    return traces;
  }

  @Test
  void itComesAsItWasSent() {
    assertThat(traces(Request.from(request(TRACE)).head())).containsExactly(TRACE);
    assertThat(traces(Request.Head.from(request(TRACE)))).containsExactly(TRACE);
  }

  @Test
  void aCallWithoutATracePaysNothing() {
    Frame without = request(null);
    int texts = TRACE.parent().length() + TRACE.state().length() + 2 * Integer.BYTES;
    int part = Byte.BYTES + Integer.BYTES;
    assertThat(Request.from(without).head().attached()).isSameAs(Attached.NONE);
    assertThat(without.bytes()).hasSize(request(TRACE).bytes().length - texts - part);
  }

  @Test
  void thatOfATraceThatIsNotKeptIsShort() {
    Frame dropped = request(TraceContext.DROPPED);
    assertThat(traces(Request.from(dropped).head()).getFirst()).isSameAs(TraceContext.DROPPED);
    int part = Byte.BYTES + Integer.BYTES;
    assertThat(dropped.bytes()).hasSize(request(null).bytes().length + 2 * Integer.BYTES + part);
  }

  @Test
  void textsThatAreTooLongAreRefused() {
    assertThatThrownBy(() -> new TraceContext("0".repeat(56), ""))
        .isInstanceOf(WireException.class)
        .hasMessage("traceparent of 56 characters; at most 55 are expected");
    assertThatThrownBy(() -> new TraceContext("", "0".repeat(513)))
        .isInstanceOf(WireException.class)
        .hasMessage("tracestate of 513 characters; at most 512 are expected");
  }
}
