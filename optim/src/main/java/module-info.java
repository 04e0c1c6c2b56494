// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Optimizers, local and distributed, checkpoints and training loops.
@NullMarked
@SuppressWarnings("requires-automatic") // MicroRaft
module dev.tensorbus.optim {
  requires transitive dev.tensorbus.autograd;
  requires transitive dev.tensorbus.models;
  requires transitive dev.tensorbus.rpc;
  requires microraft;
  requires org.slf4j; // for MicroRaft, which as an automatic module cannot require it
  requires static transitive org.jspecify;

  exports dev.tensorbus.optim;
  exports dev.tensorbus.optim.checkpoint;
  exports dev.tensorbus.optim.distributed;
  exports dev.tensorbus.optim.schedule;
  exports dev.tensorbus.optim.server;
  exports dev.tensorbus.optim.server.consistency;
  exports dev.tensorbus.optim.training;
  exports dev.tensorbus.optim.training.curve;
  exports dev.tensorbus.optim.training.metric;
  exports dev.tensorbus.optim.update;

  opens dev.tensorbus.optim.checkpoint to
      dev.tensorbus.rpc;
  opens dev.tensorbus.optim.distributed to
      dev.tensorbus.rpc;
  opens dev.tensorbus.optim.server to
      dev.tensorbus.rpc;
  opens dev.tensorbus.optim.server.replica to
      dev.tensorbus.rpc;
  opens dev.tensorbus.optim.server.slot to
      dev.tensorbus.rpc;
  opens dev.tensorbus.optim.server.view to
      dev.tensorbus.rpc;
  opens dev.tensorbus.optim.training to
      dev.tensorbus.rpc;

  provides dev.tensorbus.rpc.WireTypes with
      dev.tensorbus.optim.checkpoint.CheckpointTypes,
      dev.tensorbus.optim.distributed.OptimTypes,
      dev.tensorbus.optim.server.ServerTypes,
      dev.tensorbus.optim.server.view.ViewTypes;
}
