// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.v1.TensorPart;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tensors that are cut into parts and put together again.
class TensorPartsTest {
  private static final long SEED = Long.getLong("seed", System.nanoTime());

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final TensorReader reader = new TensorReader(Long.MAX_VALUE, bytes -> {});
  private final List<PartialTensor> kept = new ArrayList<>();

  private Tensor tensor() {
    int size = random.nextInt(3) == 0 ? random.nextInt(200_000) : random.nextInt(9);
    List<DType> types = List.of(DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.BOOL);
    return Tensor.randn(random, size, 1).to(types.get(random.nextInt(types.size())));
  }

  private static List<List<TensorPart>> messages(List<Tensor> tensors) throws Exception {
    List<List<TensorPart>> messages = new ArrayList<>();
    TensorWriter.write(NamedTensor.of(tensors), (parts, isLast) -> messages.add(parts));
    return messages;
  }

  /// The same values in more parts.
  private List<TensorPart> cut(TensorPart part, int size) {
    ByteString values = part.getValues();
    int middle = random.nextInt(values.size() / size + 1) * size;
    return List.of(
        part.toBuilder().setValues(values.substring(0, middle)).build(),
        TensorPart.newBuilder().setValues(values.substring(middle)).build());
  }

  @Test
  void tensorsComeOutAsTheyWentInHoweverTheyAreCut() throws Exception {
    List<Tensor> tensors = Stream.generate(this::tensor).limit(30).toList();
    for (List<TensorPart> message : messages(tensors)) {
      assertThat(message.stream().mapToInt(part -> part.getValues().size()).sum())
          .isLessThanOrEqualTo(TensorWriter.CHUNK);
      reader.add(message);
    }
    List<NamedTensor> came = reader.tensors();
    assertThat(came).as("seed %d", SEED).hasSameSizeAs(tensors);
    for (int i = 0; i < came.size(); i++) {
      assertThat(came.get(i).tensor().shape()).isEqualTo(tensors.get(i).shape());
      assertThat(came.get(i).tensor().heap()).isEqualTo(tensors.get(i).heap());
    }
  }

  @Test
  void bfloat16ArrivesAsFloat32() throws Exception {
    for (List<TensorPart> message : messages(List.of(Tensor.of(1, -2.5f).to(DType.BFLOAT16)))) {
      reader.add(message);
    }
    assertThat(reader.tensors().getFirst().tensor().values()).containsExactly(1, -2.5f);
  }

  @Test
  void aPartMayBeCutAgainOnTheWay() throws Exception {
    Tensor tensor = Tensor.randn(random, 10_000);
    for (List<TensorPart> message : messages(List.of(tensor))) {
      message.forEach(part -> reader.add(cut(part, Float.BYTES)));
    }
    assertThat(reader.tensors().getFirst().tensor().values())
        .as("seed %d", SEED)
        .isEqualTo(tensor.values());
  }

  @Test
  void whatIsHeldIsAskedForBeforeItIsTakenAndGivenBack() throws Exception {
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    TensorReader counted =
        new TensorReader(
            Long.MAX_VALUE, bytes -> most.accumulateAndGet(held.addAndGet(bytes), Math::max));
    for (List<TensorPart> message : messages(List.of(Tensor.randn(random, 200_000)))) {
      counted.add(message);
    }
    assertThat(held.get()).isBetween(800_000L, 801_000L);
    assertThat(most.get()).isBetween(800_000L, 1_700_000L);
    counted.release();
    assertThat(held).hasValue(0);
  }

  @Test
  void aLengthIsNotBelievedBeforeTheValuesAreThere() {
    for (int sent = 0; sent < 100; sent++) { // there is not room for one
      PartialTensor promised =
          new PartialTensor("x", DType.FLOAT64, Shape.of(Integer.MAX_VALUE), bytes -> {});
      promised.take(ByteString.copyFrom(new byte[Double.BYTES]));
      kept.add(promised);
      assertThat(promised.isFull()).isFalse();
    }
  }
}
