// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// The roles that workers play, the programs made of them, and the command line.
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.tensorbus.verticles {
  requires com.hazelcast.core;
  requires dev.tensorbus.launch;
  requires info.picocli;
  requires io.vertx.clustermanager.hazelcast;
  requires transitive io.vertx.core;
  requires io.vertx.launcher.application;
  requires java.logging;
  requires me.tongfei.progressbar;
  requires static transitive org.jspecify;

  exports dev.tensorbus.verticles;

  opens dev.tensorbus.verticles.command to
      info.picocli;
}
