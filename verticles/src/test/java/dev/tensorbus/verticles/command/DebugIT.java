// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.EventSet;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Debuggers of the workers of `tensorbus run`.
class DebugIT {
  private static final long PATIENCE = 60_000;

  private static Running run(int port, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", "-cp", "target/test-classes"));
    words.addAll(List.of("--debug", Integer.toString(port)));
    words.addAll(List.of(more));
    words.addAll(List.of(UserMain.class.getName(), "--until-attached", "hello"));
    return Commands.jar("tensorbus.jar", words.toArray(String[]::new));
  }

  private static VirtualMachine attach(int port) throws Exception {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(one -> one.name().equals("com.sun.jdi.SocketAttach"))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(Integer.toString(port));
    return connector.attach(arguments);
  }

  private static ClassType main(VirtualMachine worker) {
    return (ClassType) worker.classesByName(UserMain.class.getName()).getFirst();
  }

  private static boolean isBreakpoint(EventSet events) {
    return events.stream().anyMatch(BreakpointEvent.class::isInstance);
  }

  @Test
  void aWorkerStopsAtABreakpointWhileTheOtherWaits() throws Exception {
    int port = FreePort.range(4).first();
    try (Running world = run(port)) {
      world.await("[worker1] waits");
      VirtualMachine server = attach(port);
      server
          .eventRequestManager()
          .createBreakpointRequest(main(server).methodsByName("where").getFirst().location())
          .enable();
      VirtualMachine caller = attach(port + 1);
      ClassType main = main(caller);
      main.setValue(main.fieldByName("isAttached"), caller.mirrorOf(true));
      caller.dispose();
      EventSet events = server.eventQueue().remove(PATIENCE);
      while (!isBreakpoint(events)) {
        events.resume();
        events = server.eventQueue().remove(PATIENCE);
      }
      assertThat(world.output()).doesNotContain("hello from worker0");
      server.dispose();
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("[worker0] Listening for transport dt_socket at address: " + port)
          .contains("[worker1] worker1 of 2: hello from worker0");
    }
  }

  @Test
  void anotherProgramsPortIsRefusedInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Running world = run(taken.getLocalPort())) {
      assertThat(world.end()).isEqualTo(2);
      assertThat(world.output())
          .contains("port %d, for the debugger of worker0, ".formatted(taken.getLocalPort()))
          .contains("; set --debug to the first of several free ports");
    }
  }
}
