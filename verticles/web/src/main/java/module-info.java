// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Serves models over HTTP in applications that use Vert.x Web.
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.tensorbus.web {
  requires transitive dev.tensorbus.optim;
  requires dev.tensorbus.rpc;
  requires transitive io.vertx.core;
  requires transitive io.vertx.web;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports dev.tensorbus.web;
}
