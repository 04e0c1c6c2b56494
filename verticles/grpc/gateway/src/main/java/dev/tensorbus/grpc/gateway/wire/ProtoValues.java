// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.ListValue;
import dev.tensorbus.grpc.v1.MapValue;
import dev.tensorbus.grpc.v1.Value;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Converts arguments and results to messages and back. Tensors are transferred separately.
public final class ProtoValues {
  private ProtoValues() {}

  /// Returns the value of a message: null, Boolean, Long, Double, String, Tensor, List or Map.
  ///
  /// @throws GrpcStatusException if it references a missing tensor
  public static @Nullable Object read(Value value, List<NamedTensor> tensors) {
    return switch (value.getKindCase()) {
      case NOTHING, KIND_NOT_SET -> null;
      case TRUTH -> value.getTruth();
      case WHOLE -> value.getWhole();
      case NUMBER -> value.getNumber();
      case TEXT -> value.getText();
      case TENSOR -> tensor(value.getTensor(), tensors);
      case LIST -> list(value.getList(), tensors);
      case MAP -> map(value.getMap(), tensors);
    };
  }

  /// Returns the number of tensors that must have arrived before these values can be read.
  public static int tensors(Collection<Value> values) {
    return values.stream().mapToInt(ProtoValues::tensors).max().orElse(0);
  }

  private static int tensors(Value value) {
    return switch (value.getKindCase()) {
      case TENSOR -> value.getTensor() + 1;
      case LIST -> tensors(value.getList().getValuesList());
      case MAP -> tensors(value.getMap().getValuesMap().values());
      default -> 0;
    };
  }

  private static Tensor tensor(int place, List<NamedTensor> tensors) {
    if (place < 0 || place >= tensors.size()) {
      throw new GrpcStatusException(
          Reason.BAD_ARGUMENT,
          "an argument refers to tensor index %s; expected an index below %d"
              .formatted(Integer.toUnsignedString(place), tensors.size()));
    }
    return tensors.get(place).tensor();
  }

  private static List<@Nullable Object> list(ListValue list, List<NamedTensor> tensors) {
    return list.getValuesList().stream()
        .<@Nullable Object>map(value -> read(value, tensors))
        .collect(Collectors.toList());
  }

  private static Map<String, @Nullable Object> map(MapValue map, List<NamedTensor> tensors) {
    Map<String, @Nullable Object> read = new LinkedHashMap<>();
    map.getValuesMap().forEach((key, value) -> read.put(key, read(value, tensors)));
    return read;
  }

  /// Converts a result to a message.
  ///
  /// @param tensors receives the result's tensors
  /// @throws GrpcStatusException if the value has an unsupported type
  public static Value write(@Nullable Object result, Collection<Tensor> tensors) {
    Value.Builder value = Value.newBuilder();
    return switch (result) {
      case null -> value.setNothing(true).build();
      case Boolean truth -> value.setTruth(truth).build();
      case Float number -> value.setNumber(number).build();
      case Double number -> value.setNumber(number).build();
      case Long whole -> value.setWhole(whole).build();
      case Integer whole -> value.setWhole(whole).build();
      case String text -> value.setText(text).build();
      case Tensor tensor -> write(tensor, tensors);
      case List<?> list -> value.setList(write(list, tensors)).build();
      case Map<?, ?> map -> value.setMap(write(map, tensors)).build();
      default ->
          throw new GrpcStatusException(
              Reason.METHOD_FAILED,
              "the function returned a %s, which a Value cannot hold; return a tensor,"
                      .formatted(result.getClass().getName())
                  + " number, boolean, string, or a list or map of these");
    };
  }

  private static Value write(Tensor tensor, Collection<Tensor> tensors) {
    tensors.add(tensor);
    return Value.newBuilder().setTensor(tensors.size() - 1).build();
  }

  private static ListValue write(List<?> list, Collection<Tensor> tensors) {
    ListValue.Builder values = ListValue.newBuilder();
    list.forEach(element -> values.addValues(write(element, tensors)));
    return values.build();
  }

  private static MapValue write(Map<?, ?> map, Collection<Tensor> tensors) {
    MapValue.Builder values = MapValue.newBuilder();
    map.forEach((key, value) -> values.putValues(String.valueOf(key), write(value, tensors)));
    return values.build();
  }
}
