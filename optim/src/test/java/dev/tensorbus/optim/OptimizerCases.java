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
    return specs;
  }
}
