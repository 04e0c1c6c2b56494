// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import io.netty.util.internal.logging.FormattingTuple;
import io.netty.util.internal.logging.InternalLogLevel;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.MessageFormatter;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Passes Netty's log entries to the logger that Vert.x uses in this application. Netty's debug
/// entries, fifty at each start, become trace.
public final class QuietNetty extends InternalLoggerFactory {
  private QuietNetty() {}

  /// Makes Netty use this factory, unless the application has chosen another one.
  public static void install() {
    Package chosen = getDefaultFactory().getClass().getPackage();
    if (InternalLoggerFactory.class.getPackage().equals(chosen)) {
      setDefaultFactory(new QuietNetty());
    }
  }

  @Override
  protected InternalLogger newInstance(String name) {
    return (InternalLogger)
        Proxy.newProxyInstance(
            InternalLogger.class.getClassLoader(),
            new Class<?>[] {InternalLogger.class},
            new Quiet(name, LoggerFactory.getLogger(name)));
  }

  /// A Netty logger. It is a proxy, since the interface has the same six methods for each level.
  private record Quiet(String name, Logger logger) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        return ofObject(method, arguments);
      }
      Object[] given = arguments == null ? new Object[0] : arguments;
      String called = method.getName();
      return switch (called) {
        case "name" -> name;
        case "isEnabled" -> isEnabled((InternalLogLevel) given[0]);
        case "log" -> {
          log((InternalLogLevel) given[0], Arrays.copyOfRange(given, 1, given.length));
          yield null;
        }
        default -> {
          if (called.startsWith("is")) {
            yield isEnabled(level(called.substring("is".length()).replace("Enabled", "")));
          }
          log(level(called), given);
          yield null;
        }
      };
    }

    private @Nullable Object ofObject(Method method, @Nullable Object @Nullable [] arguments)
        throws Throwable {
      try {
        return method.invoke(this, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private static InternalLogLevel level(String name) {
      return InternalLogLevel.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private boolean isEnabled(InternalLogLevel level) {
      return switch (level) {
        case TRACE, DEBUG -> logger.isTraceEnabled();
        case INFO -> logger.isInfoEnabled();
        case WARN -> logger.isWarnEnabled();
        case ERROR -> true;
      };
    }

    /// @param given a format string and its arguments, or an exception
    private void log(InternalLogLevel level, Object[] given) {
      if (!isEnabled(level)) {
        return;
      }
      Object[] gaps =
          Arrays.stream(given)
              .skip(given[0] instanceof String ? 1 : 0)
              .flatMap(one -> one instanceof Object[] many ? Stream.of(many) : Stream.of(one))
              .toArray();
      String text = given[0] instanceof String format ? format : "unexpected";
      FormattingTuple line = MessageFormatter.arrayFormat(text, gaps);
      String message = line.getMessage();
      Throwable thrown = line.getThrowable();
      switch (level) {
        case TRACE, DEBUG -> logger.trace(message, thrown);
        case INFO -> logger.info(message, thrown);
        case WARN -> logger.warn(message, thrown);
        case ERROR -> logger.error(message, thrown);
      }
    }
  }
}
