// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Opens a [MemoryWorld] for each test that has a parameter of that type, and closes it after the
/// test. For JUnit 5 and later.
///
/// ```java
/// @Test
/// @WithWorkers(3)
/// void aServerSquares(MemoryWorld world) {
///   Tensor y = world.worker(1).rpcSync("worker0", Server::square, Tensor.of(3));
///   assertEquals(9, y.item());
/// }
/// ```
///
/// `@BeforeEach` and `@AfterEach` methods receive the same world as the test. If a test fails after
/// faults of the network, its seed and the faults are logged. `-Dseed=7` repeats the test with
/// that seed.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(WorldExtension.class)
@SuppressWarnings("exports") // who uses it has JUnit
public @interface WithWorkers {
  /// The number of workers. An annotation of a method takes precedence over that of its class.
  int value();
}
