// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.core.ConsistencyLostException;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.LocalMemberResetException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.cluster.impl.ClusterTopologyChangedException;
import com.hazelcast.internal.cluster.impl.ConfigMismatchException;
import com.hazelcast.internal.cluster.impl.VersionMismatchException;
import com.hazelcast.internal.partition.PartitionStateVersionMismatchException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.partition.NoDataMemberInClusterException;
import com.hazelcast.spi.exception.CallerNotMemberException;
import com.hazelcast.spi.exception.DistributedObjectDestroyedException;
import com.hazelcast.spi.exception.PartitionMigratingException;
import com.hazelcast.spi.exception.ResponseAlreadySentException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.RetryableIOException;
import com.hazelcast.spi.exception.ServiceNotFoundException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.exception.WrongTargetException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/// The classes that Hazelcast may read from a Java object stream: the errors that members report to
/// one another, and the counters of vertx-hazelcast. Hazelcast has its own formats for everything
/// else. Each class is listed individually, because anyone who can reach Hazelcast's port can send
/// an object stream, and nested sets, for example, would keep a core busy forever.
public final class JavaSerialization {
  private static final List<Class<?>> ERRORS =
      List.of(
          Throwable.class,
          StackTraceElement.class,
          StackTraceElement[].class,
          ArrayList.class,
          Error.class,
          AssertionError.class,
          LinkageError.class,
          NoClassDefFoundError.class,
          OutOfMemoryError.class,
          StackOverflowError.class,
          VirtualMachineError.class,
          Exception.class,
          CancellationException.class,
          ClassCastException.class,
          ClassNotFoundException.class,
          CompletionException.class,
          ConcurrentModificationException.class,
          EOFException.class,
          ExecutionException.class,
          IllegalArgumentException.class,
          IllegalStateException.class,
          IndexOutOfBoundsException.class,
          InterruptedException.class,
          IOException.class,
          NegativeArraySizeException.class,
          NoSuchElementException.class,
          NullPointerException.class,
          ReflectiveOperationException.class,
          RejectedExecutionException.class,
          RuntimeException.class,
          SecurityException.class,
          TimeoutException.class,
          UnsupportedOperationException.class,
          CallerNotMemberException.class,
          ClusterTopologyChangedException.class,
          ConfigMismatchException.class,
          ConsistencyLostException.class,
          DistributedObjectDestroyedException.class,
          HazelcastException.class,
          HazelcastInstanceNotActiveException.class,
          HazelcastOverloadException.class,
          HazelcastSerializationException.class,
          IndeterminateOperationStateException.class,
          LocalMemberResetException.class,
          MemberLeftException.class,
          NoDataMemberInClusterException.class,
          OperationTimeoutException.class,
          PartitionMigratingException.class,
          PartitionStateVersionMismatchException.class,
          ResponseAlreadySentException.class,
          RetryableHazelcastException.class,
          RetryableIOException.class,
          ServiceNotFoundException.class,
          SplitBrainProtectionException.class,
          TargetDisconnectedException.class,
          TargetNotMemberException.class,
          VersionMismatchException.class,
          WrongTargetException.class);

  /// The classes that hold the suppressed exceptions of a throwable.
  private static final List<String> PARTS_OF_ERRORS =
      List.of(
          "java.util.Collections$EmptyList",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableRandomAccessList");

  /// The classes in the lambdas that Vert.x counters send. Only the counter's class, [#COUNTER],
  /// can recreate such a lambda.
  private static final List<Class<?>> COUNTERS =
      List.of(SerializedLambda.class, Object[].class, Number.class, Long.class);

  private static final String COUNTER = "io.vertx.spi.cluster.hazelcast.impl.HazelcastCounter";

  private JavaSerialization() {}

  /// Returns the names of the allowed classes.
  static Set<String> classes() {
    Set<String> names = new TreeSet<>(PARTS_OF_ERRORS);
    ERRORS.forEach(type -> names.add(type.getName()));
    COUNTERS.forEach(type -> names.add(type.getName()));
    names.add(COUNTER);
    return names;
  }

  /// Returns a filter that allows these classes and no others.
  public static JavaSerializationFilterConfig filter() {
    JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig();
    filter.setDefaultsDisabled(true);
    classes().forEach(filter.getWhitelist()::addClasses);
    return filter;
  }
}
