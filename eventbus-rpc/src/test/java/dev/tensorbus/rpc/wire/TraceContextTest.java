// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.nn.ThreadModes;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.TraceContext;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The place of a call in a trace travels in its request.
class TraceContextTest {
  private static final TraceContext TRACE =
      new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");

  private static Frame request(TraceContext trace) {
    Sender sender = new Sender(new WorkerInfo("worker1", 1), 5);
    FunctionName function = new FunctionName("Server", "update");
    Request.Head head =
        new Request.Head(
            1, 1, sender, 1000, false, false, false, function, null, null, trace, ThreadModes.NONE);
    Payload payload = new Payload(GraphLink.NONE, Payload.IN_MESSAGE, List.of(), new byte[0]);
    return new Request(head, payload).toFrame();
  }

  @Test
  void itComesAsItWasSent() {
    assertThat(Request.from(request(TRACE)).head().trace()).isEqualTo(TRACE);
    assertThat(Request.Head.from(request(TRACE)).trace()).isEqualTo(TRACE);
  }

  @Test
  void aCallWithoutATracePaysOneByte() {
    Frame without = request(null);
    int texts = TRACE.parent().length() + TRACE.state().length() + 2 * Integer.BYTES;
    assertThat(Request.from(without).head().trace()).isNull();
    assertThat(without.bytes()).hasSize(request(TRACE).bytes().length - texts);
  }

  @Test
  void thatOfATraceThatIsNotKeptIsShort() {
    Frame dropped = request(TraceContext.DROPPED);
    assertThat(Request.from(dropped).head().trace()).isSameAs(TraceContext.DROPPED);
    assertThat(dropped.bytes()).hasSize(request(null).bytes().length + 2 * Integer.BYTES);
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
