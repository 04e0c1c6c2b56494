// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// An owner of parameters, as seen by the worker that takes the steps.
///
/// @param optimizer the optimizer on the owner
/// @param places indices of the owner's parameters among the parameters of all groups
record Owner(RRef<OwnerOptimizer> optimizer, List<Integer> places) {
  private static final CallOptions AT_ONCE = CallOptions.DEFAULT.continuingOn(Execution.EVENT_LOOP);

  /// Creates an optimizer on each owner of these parameters, without waiting.
  static List<Owner> create(Rpc rpc, List<ParameterGroup<RRef<Tensor>>> groups) {
    Map<WorkerInfo, Owned> byOwner = new LinkedHashMap<>();
    int place = 0;
    for (int i = 0; i < groups.size(); i++) {
      for (RRef<Tensor> parameter : groups.get(i).parameters()) {
        byOwner
            .computeIfAbsent(parameter.owner(), _ -> new Owned(groups.size()))
            .add(i, parameter, place++);
      }
    }
    List<OptimizerSpec> specs = specs(groups);
    List<Owner> owners = new ArrayList<>();
    byOwner.forEach((worker, owned) -> owners.add(owned.create(rpc, worker, specs)));
    return owners;
  }

  /// Returns the calls to the optimizer. Their continuations only collect answers, so they run on
  /// the event loop.
  ObjectCalls<OwnerOptimizer> ask() {
    return optimizer.with(AT_ONCE);
  }

  /// Merges the owners' answers, each with one element per parameter of the owner, into one list in
  /// the order of all parameters.
  static <T> List<T> inOrder(List<Owner> owners, List<List<T>> answers) {
    SortedMap<Integer, T> byPlace = new TreeMap<>();
    for (int i = 0; i < owners.size(); i++) {
      List<Integer> places = owners.get(i).places();
      for (int j = 0; j < places.size(); j++) {
        byPlace.put(places.get(j), answers.get(i).get(j));
      }
    }
    return List.copyOf(byPlace.values());
  }

  /// Returns the part of a state that concerns this owner's parameters.
  OptimizerState share(OptimizerState all) {
    List<OptimizerState.Group> shares = new ArrayList<>();
    int place = 0;
    for (OptimizerState.Group group : all.groups()) {
      List<OptimizerState.Memory> memories = new ArrayList<>();
      for (OptimizerState.Memory memory : group.memories()) {
        if (places.contains(place++)) {
          memories.add(memory);
        }
      }
      shares.add(new OptimizerState.Group(group.spec(), group.initial(), memories));
    }
    return new OptimizerState(shares);
  }

  /// Returns the groups' current settings.
  static List<OptimizerSpec> specs(List<ParameterGroup<RRef<Tensor>>> groups) {
    return groups.stream().map(ParameterGroup::spec).toList();
  }

  /// The parameters of one owner.
  private static final class Owned {
    private final List<List<RRef<Tensor>>> groups = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();

    Owned(int groups) {
      for (int i = 0; i < groups; i++) {
        this.groups.add(new ArrayList<>());
      }
    }

    void add(int group, RRef<Tensor> parameter, int place) {
      groups.get(group).add(parameter);
      places.add(place);
    }

    Owner create(Rpc rpc, WorkerInfo worker, List<OptimizerSpec> specs) {
      return new Owner(rpc.remote(worker.name(), OwnerOptimizer::new, specs, groups), places);
    }
  }
}
