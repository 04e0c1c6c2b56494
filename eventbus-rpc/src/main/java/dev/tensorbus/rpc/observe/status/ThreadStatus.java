// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The name and the stack of a thread.
///
/// @param name the name and id of the thread, such as `tensorbus-call-57`
/// @param stack up to 8 stack frames, innermost first, starting with the application's innermost
///     frame, or with the innermost frame of all if none belongs to the application
public record ThreadStatus(String name, List<String> stack) {
  private static final int MOST_FRAMES = 8;

  /// The package prefixes of classes that do not belong to the application.
  private static final List<String> PLATFORM =
      List.of("java.", "jdk.", "sun.", "io.vertx.", "io.netty.", "com.hazelcast.");

  /// The packages of Tensorbus that appear in the stack between a call and its method.
  private static final Set<String> CALLS =
      Stream.of(
              "",
              ".autograd",
              ".call",
              ".call.callee",
              ".call.caller",
              ".collective",
              ".graph",
              ".graph.pass",
              ".observe.trace",
              ".parallel",
              ".reference",
              ".thread",
              ".thread.execution",
              ".thread.idle",
              ".transport.lane",
              ".worker")
          .map(name -> "dev.tensorbus.rpc" + name)
          .collect(Collectors.toUnmodifiableSet());

  /// Copies the list.
  public ThreadStatus {
    stack = List.copyOf(stack);
  }

  /// Returns the current state of a thread.
  public static ThreadStatus of(Thread thread) {
    List<StackTraceElement> all = Arrays.asList(thread.getStackTrace());
    List<StackTraceElement> own =
        all.stream().dropWhile(frame -> !isApplication(frame.getClassName())).toList();
    String kind = thread.getName().isEmpty() ? "thread" : thread.getName();
    return new ThreadStatus(
        kind + "-" + thread.threadId(),
        (own.isEmpty() ? all : own)
            .stream().limit(MOST_FRAMES).map(ThreadStatus::describe).toList());
  }

  private static boolean isApplication(String type) {
    return PLATFORM.stream().noneMatch(type::startsWith)
        && !CALLS.contains(type.substring(0, Math.max(0, type.lastIndexOf('.'))));
  }

  /// Formats a frame without the module and class loader that [StackTraceElement#toString]
  /// includes.
  private static String describe(StackTraceElement frame) {
    String file = frame.getFileName() == null ? "unknown source" : frame.getFileName();
    String place = frame.getLineNumber() < 0 ? file : file + ":" + frame.getLineNumber();
    return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
  }

  static ThreadStatus from(Fields fields) {
    return new ThreadStatus(fields.text("thread"), fields.texts("stack"));
  }

  /// Returns the first stack frame with its class name shortened, such as
  /// `Server.update(Server.java:41)`, or an empty string if the thread has ended.
  public String place() {
    if (stack.isEmpty()) {
      return "";
    }
    String frame = stack.getFirst();
    int end = frame.indexOf('(') < 0 ? frame.length() : frame.indexOf('(');
    int method = frame.lastIndexOf('.', end);
    int type = method < 0 ? -1 : frame.lastIndexOf('.', method - 1);
    return frame.substring(type + 1);
  }
}
