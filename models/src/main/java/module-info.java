// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Complete networks, data sets and environments.
@NullMarked
module dev.tensorbus.models {
  requires transitive dev.tensorbus.autograd;
  requires java.desktop;
  requires static transitive org.jspecify;

  exports dev.tensorbus.models;
  exports dev.tensorbus.models.data;
  exports dev.tensorbus.models.data.image;
  exports dev.tensorbus.models.data.npy;
  exports dev.tensorbus.models.data.table;
  exports dev.tensorbus.models.data.transform;
  exports dev.tensorbus.models.digits;
  exports dev.tensorbus.models.environment;
  exports dev.tensorbus.models.gpt;
  exports dev.tensorbus.models.resnet;
  exports dev.tensorbus.models.text;
}
