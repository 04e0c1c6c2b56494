// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.util.LinkedHashMap;
import java.util.Map;

/// Each optimizer with each of its settings, by the name of its case in `torch/optimizers.py`.
public final class OptimizerCases {
  private OptimizerCases() {}

  /// All cases in their order.
  public static Map<String, OptimizerSpec> all() {
    Map<String, OptimizerSpec> specs = new LinkedHashMap<>();
    Sgd sgd = new Sgd(0.03);
    specs.put("sgd", sgd);
    specs.put("sgd_decay", sgd.withWeightDecay(0.01));
    specs.put("sgd_maximize", sgd.withWeightDecay(0.01).withMaximize(true));
    specs.put("sgd_momentum", sgd.withMomentum(0.9));
    specs.put("sgd_dampening", sgd.withMomentum(0.9).withDampening(0.3));
    specs.put("sgd_momentum_decay", sgd.withMomentum(0.9).withWeightDecay(0.01));
    specs.put("sgd_nesterov", sgd.withMomentum(0.9).withNesterov(true));
    specs.put("sgd_all", new Sgd(0.03, 1, 0, 1, true, true));
    Adam adam = new Adam(0.01);
    specs.put("adam", adam);
    specs.put("adam_betas_eps", adam.withBetas(0.8, 0.95).withEps(1e-3));
    specs.put("adam_decay", adam.withWeightDecay(0.1));
    specs.put("adam_amsgrad", adam.withAmsgrad(true));
    specs.put("adam_all", adam.withWeightDecay(0.1).withAmsgrad(true).withMaximize(true));
    AdamW adamW = new AdamW(0.01);
    specs.put("adamw", adamW);
    specs.put("adamw_betas_eps", adamW.withBetas(0.8, 0.95).withEps(1e-3));
    specs.put("adamw_all", adamW.withWeightDecay(0.1).withAmsgrad(true).withMaximize(true));
    addAdaptive(specs);
    return specs;
  }

  private static void addAdaptive(Map<String, OptimizerSpec> specs) {
    specs.put("adagrad", new Adagrad(0.1));
    specs.put("adagrad_all", new Adagrad(0.1, 0.01, 0.1, 0.5, 1e-3, true));
    specs.put("adadelta", new Adadelta(1));
    specs.put("adadelta_all", new Adadelta(0.5, 0.8, 1e-3, 0.1, true));
    Rmsprop rmsprop = new Rmsprop(0.01);
    specs.put("rmsprop", rmsprop);
    specs.put("rmsprop_centered", rmsprop.withCentered(true));
    specs.put("rmsprop_momentum", rmsprop.withMomentum(0.9));
    specs.put("rmsprop_all", new Rmsprop(0.01, 0.9, 1e-3, 0.1, 0.9, true, true));
    specs.put("adamax", new Adamax(0.002));
    specs.put("adamax_all", new Adamax(0.01, 0.8, 0.95, 1e-3, 0.1, true));
    specs.put("nadam", new NAdam(0.002));
    specs.put("nadam_all", new NAdam(0.01, 0.8, 0.95, 1e-3, 0.1, 0.1));
    specs.put("radam", new RAdam(0.01));
    specs.put("radam_early", new RAdam(0.01).withBetas(0.8, 0.5));
    specs.put("radam_all", new RAdam(0.01, 0.8, 0.95, 1e-3, 0.1));
    specs.put("rprop", new Rprop(0.01));
    specs.put("rprop_all", new Rprop(0.1, 0.4, 1.5, 0.05, 0.3, true));
  }

  /// The cases that go by sparse gradients.
  public static Map<String, OptimizerSpec> sparse() {
    Map<String, OptimizerSpec> specs = new LinkedHashMap<>();
    specs.put("sparse_sgd", new Sgd(0.03));
    specs.put("sparse_sgd_momentum", new Sgd(0.03).withMomentum(0.9));
    specs.put("sparse_adagrad", new Adagrad(0.1).withLrDecay(0.01).withMaximize(true));
    specs.put("sparse_adam", new SparseAdam(0.01));
    specs.put("sparse_adam_all", new SparseAdam(0.01, 0.8, 0.95, 1e-3, true));
    return specs;
  }
}
