// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static dev.tensorbus.nn.functional.Attention.causalMask;
import static dev.tensorbus.nn.functional.Attention.scaledDotProduct;
import static dev.tensorbus.nn.functional.Convolutions.conv1d;
import static dev.tensorbus.nn.functional.Convolutions.conv2d;
import static dev.tensorbus.nn.functional.Convolutions.conv3d;
import static dev.tensorbus.nn.functional.Convolutions.convTranspose2d;
import static dev.tensorbus.nn.functional.Distances.cosineSimilarity;
import static dev.tensorbus.nn.functional.Distances.pairwiseDistance;
import static dev.tensorbus.nn.functional.Embeddings.embedding;
import static dev.tensorbus.nn.functional.Embeddings.embeddingBag;
import static dev.tensorbus.nn.functional.Interpolations.bilinear;
import static dev.tensorbus.nn.functional.Interpolations.nearest;
import static dev.tensorbus.nn.functional.Normalizations.groupNorm;
import static dev.tensorbus.nn.functional.Normalizations.layerNorm;
import static dev.tensorbus.nn.functional.Poolings.adaptiveAvgPool1d;
import static dev.tensorbus.nn.functional.Poolings.adaptiveAvgPool2d;
import static dev.tensorbus.nn.functional.Poolings.adaptiveMaxPool1d;
import static dev.tensorbus.nn.functional.Poolings.adaptiveMaxPool2d;
import static dev.tensorbus.nn.functional.Poolings.avgPool1d;
import static dev.tensorbus.nn.functional.Poolings.avgPool2d;
import static dev.tensorbus.nn.functional.Poolings.maxPool1d;
import static dev.tensorbus.nn.functional.Poolings.maxPool2d;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.distributions.Normal;
import dev.tensorbus.nn.convolution.Conv1d;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.convolution.Conv3d;
import dev.tensorbus.nn.convolution.ConvTranspose2d;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.functional.Convolutions.Frames;
import dev.tensorbus.nn.functional.Embeddings.BagMode;
import dev.tensorbus.nn.loss.BceLoss;
import dev.tensorbus.nn.loss.BceWithLogitsLoss;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.CtcLoss;
import dev.tensorbus.nn.loss.HuberLoss;
import dev.tensorbus.nn.loss.KlDivLoss;
import dev.tensorbus.nn.loss.L1Loss;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.nn.loss.MseLoss;
import dev.tensorbus.nn.loss.NllLoss;
import dev.tensorbus.nn.loss.SmoothL1Loss;
import dev.tensorbus.nn.loss.similarity.CosineEmbeddingLoss;
import dev.tensorbus.nn.loss.similarity.TripletMarginLoss;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.nn.normalization.GroupNorm;
import dev.tensorbus.nn.normalization.InstanceNorm;
import dev.tensorbus.nn.normalization.LayerNorm;
import dev.tensorbus.nn.pooling.AvgPool1d;
import dev.tensorbus.nn.pooling.MaxPool1d;
import dev.tensorbus.nn.recurrent.Gru;
import dev.tensorbus.nn.recurrent.HiddenOutput;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.recurrent.PackedOutput;
import dev.tensorbus.nn.recurrent.PackedSequence;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import dev.tensorbus.nn.recurrent.Rnn;
import dev.tensorbus.nn.recurrent.Rnn.Nonlinearity;
import dev.tensorbus.nn.transformer.MultiheadAttention;
import dev.tensorbus.nn.transformer.TransformerDecoderLayer;
import dev.tensorbus.nn.transformer.TransformerEncoderLayer;
import dev.tensorbus.nn.transformer.TransformerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Layers and what they compute against PyTorch's results, gradients and state, and derivatives
/// against values: one line each.
final class LayersTest {
  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Map<String, Tensor> reference = TorchResource.read("layers");
  private final List<LayerCase> cases = new ArrayList<>();

  LayersTest() {
    convolutions();
    volumes();
    poolings();
    linear();
    normalizations();
    embeddings();
    recurrent();
    attention();
    interpolations();
    losses();
    distributions();
  }

  private void convolutions() {
    Sliding padded = Sliding.ONE.withPadding(1);
    Sliding dilated = Sliding.ONE.withDilation(new Pair(2, 3)).withPadding(new Pair(1, 2));
    convolution("conv2d", Sliding.ONE, 1);
    convolution("conv2d.stride", padded.withStride(2), 1);
    convolution("conv2d.dilation", dilated, 1);
    convolution("conv2d.groups", padded, 2);
    convolution("conv2d.depthwise", Sliding.ONE.withStride(new Pair(1, 2)), 3);
    add("conv2d.noBias", in -> conv2d(in.get(0), in.get(1), null, padded, 1));
    Sliding far = Sliding.ONE.withStride(2).withPadding(3).withDilation(2);
    add("conv1d", in -> conv1d(in.get(0), in.get(1), in.get(2), Sliding.ONE, 1));
    add("conv1d.options", in -> conv1d(in.get(0), in.get(1), in.get(2), far, 2));
    Sliding apart = Sliding.ONE.withStride(new Pair(2, 1)).withDilation(new Pair(1, 2));
    transposed("convTranspose2d", Sliding.ONE, 0, 1);
    transposed("convTranspose2d.stride", padded.withStride(2), 1, 1);
    transposed("convTranspose2d.groups", apart, 0, 2);
    transposed("convTranspose2d.outputPadding", padded.withStride(2).withDilation(3), 2, 2);
    ConvolutionOptions options = ConvolutionOptions.of(4, 6, new Pair(3, 2)).withGroups(2);
    Conv2d conv2d = new Conv2d(options.withStride(2).withPadding(1), random);
    layer("Conv2d", conv2d, conv2d::forward);
    Conv2d plain = new Conv2d(ConvolutionOptions.of(2, 3, 3).withoutBias(), random);
    layer("Conv2d.noBias", plain, plain::forward);
    ConvolutionOptions wide = ConvolutionOptions.of(3, 4, 3).withPadding(2).withDilation(2);
    Conv1d conv1d = new Conv1d(wide, random);
    layer("Conv1d", conv1d, conv1d::forward);
    ConvolutionOptions up = ConvolutionOptions.of(4, 2, 3).withStride(2).withPadding(1);
    ConvTranspose2d transpose = new ConvTranspose2d(up, Pair.of(1), random);
    layer("ConvTranspose2d", transpose, transpose::forward);
  }

  private void volumes() {
    Frames apart = new Frames(2, 1, 2);
    Sliding sliding = Sliding.ONE.withStride(new Pair(1, 2)).withPadding(new Pair(2, 0));
    add("conv3d", in -> conv3d(in.get(0), in.get(1), in.get(2), Frames.ONE, Sliding.ONE, 1));
    add("conv3d.options", in -> conv3d(in.get(0), in.get(1), null, apart, sliding, 2));
    Conv3d conv3d = new Conv3d(2, 3, 2, random);
    layer("Conv3d", conv3d, conv3d::forward);
  }

  private void convolution(String name, Sliding sliding, int groups) {
    add(name, in -> conv2d(in.get(0), in.get(1), in.get(2), sliding, groups));
  }

  private void transposed(String name, Sliding sliding, int outputPadding, int groups) {
    Pair more = Pair.of(outputPadding);
    add(name, in -> convTranspose2d(in.get(0), in.get(1), in.get(2), sliding, more, groups));
  }

  private void poolings() {
    Sliding overlapping = Sliding.ONE.withStride(2).withPadding(1);
    Sliding dilated = new Sliding(new Pair(1, 2), new Pair(0, 1), new Pair(3, 2));
    Sliding two = Sliding.ONE.withStride(2);
    Sliding uneven = Sliding.ONE.withStride(new Pair(2, 1)).withPadding(new Pair(1, 0));
    add("maxPool2d", in -> maxPool2d(in.get(0), Pair.of(3), overlapping));
    add("maxPool2d.equal", in -> maxPool2d(in.get(0), Pair.of(3), overlapping));
    add("maxPool2d.dilation", in -> maxPool2d(in.get(0), new Pair(2, 3), dilated));
    add("maxPool2d.plain", in -> maxPool2d(in.get(0), Pair.of(2), two));
    add("avgPool2d", in -> avgPool2d(in.get(0), Pair.of(2), two));
    add("avgPool2d.padding", in -> avgPool2d(in.get(0), new Pair(3, 2), uneven));
    add("adaptiveAvgPool2d", in -> adaptiveAvgPool2d(in.get(0), new Pair(3, 4)));
    add("adaptiveAvgPool2d.one", in -> adaptiveAvgPool2d(in.get(0), Pair.of(1)));
    add("maxPool1d", in -> maxPool1d(in.get(0), 3, overlapping));
    add("avgPool1d", in -> avgPool1d(in.get(0), 3, overlapping));
    add("adaptiveAvgPool1d", in -> adaptiveAvgPool1d(in.get(0), 3));
    add("adaptiveMaxPool1d", in -> adaptiveMaxPool1d(in.get(0), 3));
    MaxPool1d max = new MaxPool1d(2);
    layer("MaxPool1d", max, max::forward);
    AvgPool1d mean = new AvgPool1d(2);
    layer("AvgPool1d", mean, mean::forward);
    add("adaptiveMaxPool2d", in -> adaptiveMaxPool2d(in.get(0), new Pair(3, 4)));
  }

  private void linear() {
    Linear linear = new Linear(4, 3, random);
    layer("Linear", linear, linear::forward);
    Linear plain = Linear.withoutBias(4, 3, random);
    layer("Linear.noBias", plain, plain::forward);
  }

  private void normalizations() {
    for (String name : List.of("layerNorm", "layerNorm.axes")) {
      add(name, in -> layerNorm(in.get(0), in.get(1), in.get(2), 1e-5));
    }
    add("groupNorm", in -> groupNorm(in.get(0), 2, in.get(1), in.get(2), 1e-5));
    LayerNorm layerNorm = new LayerNorm(5);
    layer("LayerNorm", layerNorm, layerNorm::forward);
    GroupNorm groupNorm = new GroupNorm(3, 6);
    layer("GroupNorm", groupNorm, groupNorm::forward);
    InstanceNorm instanceNorm = new InstanceNorm(3);
    layer("InstanceNorm", instanceNorm, instanceNorm::forward);
    InstanceNorm affine = new InstanceNorm(3, true);
    layer("InstanceNorm.affine", affine, affine::forward);
    for (String name : List.of("BatchNorm", "BatchNorm.flat", "BatchNorm.eval")) {
      BatchNorm batchNorm = new BatchNorm(3);
      if (name.endsWith("eval")) {
        batchNorm.eval();
      }
      layer(name, batchNorm, batchNorm::forward);
    }
  }

  private void embeddings() {
    add("embedding", in -> embedding(in.index(), in.get(0)));
    for (BagMode mode : BagMode.values()) {
      String name = "embeddingBag." + mode.name().toLowerCase(Locale.ROOT);
      add(name, in -> embeddingBag(in.index(), in.get(0), new int[] {0, 2, 2}, mode));
    }
    Embedding embedding = new Embedding(5, 3, random);
    add("Embedding", embedding, in -> List.of(embedding.forward(in.index())));
    Embedding padded = Embedding.withPadding(5, 3, 4, random);
    add("Embedding.padding", padded, in -> List.of(padded.forward(in.index())));
    EmbeddingBag bag = new EmbeddingBag(5, 3, BagMode.MEAN, random);
    add("EmbeddingBag", bag, in -> List.of(bag.forward(in.index(), 0, 1)));
  }

  private void recurrent() {
    RecurrentOptions small = RecurrentOptions.of(3, 5);
    RecurrentOptions large = RecurrentOptions.of(6, 37);
    RecurrentOptions deep = RecurrentOptions.of(3, 4).withLayers(2);
    RecurrentOptions both = deep.withBothDirections();
    lstm("Lstm", small);
    lstm("Lstm.large", large);
    lstm("Lstm.deep", both);
    lstm("Lstm.state", deep);
    gru("Gru", small);
    gru("Gru.large", large);
    gru("Gru.deep", both);
    gru("Gru.state", deep);
    rnn("Rnn", small, Nonlinearity.TANH);
    rnn("Rnn.large", large, Nonlinearity.TANH);
    rnn("Rnn.deep", both, Nonlinearity.TANH);
    rnn("Rnn.state", deep, Nonlinearity.TANH);
    rnn("Rnn.relu", small, Nonlinearity.RELU);
    packed(small, ".packed", 2, 5, 1, 3);
    packed(both, ".packed.deep", 4, 1, 4);
  }

  /// Sequences of these lengths, in any order.
  private void packed(RecurrentOptions options, String variant, int... lengths) {
    Lstm lstm = new Lstm(options, random);
    add(
        "Lstm" + variant,
        lstm,
        in -> {
          PackedSequence x = PackedSequence.packPaddedSequence(in.get(0), lengths);
          PackedOutput<Lstm.State> output =
              in.tensors().size() == 1
                  ? lstm.forward(x)
                  : lstm.forward(x, new Lstm.State(in.get(1), in.get(2)));
          Tensor padded = output.sequence().padPackedSequence(0);
          return List.of(padded, output.state().hidden(), output.state().cell());
        });
    Gru gru = new Gru(options, random);
    packed("Gru" + variant, gru, gru::forward, gru::forward, lengths);
    Rnn rnn = new Rnn(options, Nonlinearity.TANH, random);
    packed("Rnn" + variant, rnn, rnn::forward, rnn::forward, lengths);
  }

  private void packed(
      String name,
      Layer layer,
      Function<PackedSequence, PackedOutput<Tensor>> fromZeros,
      BiFunction<PackedSequence, Tensor, PackedOutput<Tensor>> fromState,
      int... lengths) {
    add(
        name,
        layer,
        in -> {
          PackedSequence x = PackedSequence.packPaddedSequence(in.get(0), lengths);
          PackedOutput<Tensor> output =
              in.tensors().size() == 1 ? fromZeros.apply(x) : fromState.apply(x, in.get(1));
          return List.of(output.sequence().padPackedSequence(0), output.state());
        });
  }

  private void lstm(String name, RecurrentOptions options) {
    Lstm lstm = new Lstm(options, random);
    add(
        name,
        lstm,
        in -> {
          Lstm.Output output =
              in.tensors().size() == 1
                  ? lstm.forward(in.get(0))
                  : lstm.forward(in.get(0), new Lstm.State(in.get(1), in.get(2)));
          return List.of(output.sequence(), output.state().hidden(), output.state().cell());
        });
  }

  private void gru(String name, RecurrentOptions options) {
    Gru gru = new Gru(options, random);
    add(
        name,
        gru,
        in ->
            results(
                in.tensors().size() == 1
                    ? gru.forward(in.get(0))
                    : gru.forward(in.get(0), in.get(1))));
  }

  private void rnn(String name, RecurrentOptions options, Nonlinearity nonlinearity) {
    Rnn rnn = new Rnn(options, nonlinearity, random);
    add(
        name,
        rnn,
        in ->
            results(
                in.tensors().size() == 1
                    ? rnn.forward(in.get(0))
                    : rnn.forward(in.get(0), in.get(1))));
  }

  private static List<Tensor> results(HiddenOutput output) {
    return List.of(output.sequence(), output.state());
  }

  private void attention() {
    Tensor causal = causalMask(3, 3);
    add("scaledDotProduct", in -> scaledDotProduct(in.get(0), in.get(1), in.get(2), null));
    add("scaledDotProduct.causal", in -> scaledDotProduct(in.get(0), in.get(1), in.get(2), causal));
    add(
        "scaledDotProduct.mask",
        in -> scaledDotProduct(in.get(0), in.get(1), in.get(2), in.get(3)));
    MultiheadAttention heads = new MultiheadAttention(6, 2, 0, random);
    add(
        "MultiheadAttention",
        heads,
        in -> List.of(heads.forward(in.get(0), in.get(1), in.get(2), null)));
    TransformerOptions options = TransformerOptions.of(6, 2).withFeedforward(8).withDropout(0);
    transformer("TransformerEncoderLayer", options, causal);
    transformer("TransformerEncoderLayer.first", options.withNormFirst().withGelu(), causal);
    decoder("TransformerDecoderLayer", options, causal);
    decoder("TransformerDecoderLayer.first", options.withNormFirst().withGelu(), causal);
  }

  private void transformer(String name, TransformerOptions options, Tensor mask) {
    TransformerEncoderLayer layer = new TransformerEncoderLayer(options, random);
    add(name, layer, in -> List.of(layer.forward(in.get(0), mask)));
  }

  private void decoder(String name, TransformerOptions options, Tensor mask) {
    TransformerDecoderLayer layer = new TransformerDecoderLayer(options, random);
    add(name, layer, in -> List.of(layer.forward(in.get(0), in.get(1), mask, null)));
  }

  private void interpolations() {
    interpolation("", new Pair(6, 9));
    interpolation(".smaller", new Pair(2, 2));
    interpolation(".odd", new Pair(5, 4));
  }

  private void interpolation(String variant, Pair size) {
    add("nearest" + variant, in -> nearest(in.get(0), size));
    add("bilinear" + variant, in -> bilinear(in.get(0), size, false));
    add("bilinear" + variant + ".corners", in -> bilinear(in.get(0), size, true));
  }

  private void losses() {
    Tensor weight = Tensor.of(0.5f, 2, 1, 0.1f, 3);
    for (LossReduction reduction :
        List.of(LossReduction.NONE, LossReduction.MEAN, LossReduction.SUM)) {
      String suffix = "." + reduction.name().toLowerCase(Locale.ROOT);
      SmoothL1Loss smooth = new SmoothL1Loss(reduction, 0.7);
      BceWithLogitsLoss bce = new BceWithLogitsLoss().withReduction(reduction);
      add("mseLoss" + suffix, in -> new MseLoss(reduction).forward(in.get(0), in.get(1)));
      add("l1Loss" + suffix, in -> new L1Loss(reduction).forward(in.get(0), in.get(1)));
      add("smoothL1Loss" + suffix, in -> smooth.forward(in.get(0), in.get(1)));
      HuberLoss huber = new HuberLoss(reduction, 0.7);
      add("huberLoss" + suffix, in -> huber.forward(in.get(0), in.get(1)));
      BceLoss probabilities = new BceLoss().withReduction(reduction);
      add("bceLoss" + suffix, in -> probabilities.forward(yes(in, 0), yes(in, 1)));
      add("bce" + suffix, in -> bce.forward(in.get(0), in.get(1)));
      NllLoss nll = new NllLoss().withReduction(reduction);
      labels("nllLoss" + suffix, nll::forward);
      labels("nllLoss" + suffix + ".weight", nll.withWeight(weight)::forward);
      labels("nllLoss" + suffix + ".ignore", nll.withIgnoreIndex(1)::forward);
      CrossEntropyLoss cross =
          new CrossEntropyLoss().withReduction(reduction).withLabelSmoothing(0.2);
      labels("crossEntropy" + suffix, cross::forward);
      labels("crossEntropy" + suffix + ".weight", cross.withWeight(weight)::forward);
      labels("crossEntropy" + suffix + ".ignore", cross.withIgnoreIndex(1)::forward);
    }
    labels("nllLoss.images", new NllLoss()::forward);
    similarities();
    alignments();
    labels("crossEntropy.plain", new CrossEntropyLoss()::forward);
    CrossEntropyLoss smoothed = new CrossEntropyLoss().withLabelSmoothing(0.1);
    labels("crossEntropy.long", smoothed.withWeight(Tensor.of(0.3f, 2))::forward);
    BceWithLogitsLoss weighted =
        new BceWithLogitsLoss().withPositiveWeight(Tensor.of(2, 1, 0.5f, 3));
    add("bce.weight", in -> weighted.forward(in.get(0), in.get(1)));
    for (LossReduction reduction : LossReduction.values()) {
      String name = "klDiv." + reduction.name().toLowerCase(Locale.ROOT).replace("_", "");
      KlDivLoss loss = new KlDivLoss().withReduction(reduction);
      add(name, in -> loss.forward(in.get(0).logSoftmax(1), in.get(1).softmax(1)));
    }
    KlDivLoss logs = new KlDivLoss().withReduction(LossReduction.SUM).withLogTarget();
    add("klDiv.log", in -> logs.forward(in.get(0).logSoftmax(1), in.get(1).logSoftmax(1)));
  }

  private static Tensor yes(LayerCase.Inputs in, int number) {
    return in.get(number).sigmoid();
  }

  private void similarities() {
    for (LossReduction reduction :
        List.of(LossReduction.NONE, LossReduction.MEAN, LossReduction.SUM)) {
      String suffix = "." + reduction.name().toLowerCase(Locale.ROOT);
      triplets("tripletMarginLoss" + suffix, new TripletMarginLoss().withReduction(reduction));
      CosineEmbeddingLoss cosine = new CosineEmbeddingLoss(reduction, 0.1);
      add("cosineEmbeddingLoss" + suffix, in -> cosine.forward(in.get(0), in.get(1), in.index()));
    }
    triplets(
        "tripletMarginLoss.swap",
        new TripletMarginLoss().withMargin(0.5).withOrder(1).withSwap(true));
    BceLoss weighted = new BceLoss().withWeight(Tensor.of(2, 1, 0.5f, 3));
    add("bceLoss.weight", in -> weighted.forward(yes(in, 0), yes(in, 1)));
    add("cosineSimilarity", in -> cosineSimilarity(in.get(0), in.get(1), 1, 1e-8));
    add("cosineSimilarity.first", in -> cosineSimilarity(in.get(0), in.get(1), 0, 1e-8));
    add("pairwiseDistance", in -> pairwiseDistance(in.get(0), in.get(1), 2, 1e-6));
  }

  private void triplets(String name, TripletMarginLoss loss) {
    add(name, in -> loss.forward(in.get(0), in.get(1), in.get(2)));
  }

  private void alignments() {
    CtcLoss ctc = new CtcLoss();
    alignment("none", ctc.withReduction(LossReduction.NONE));
    alignment("mean", ctc);
    alignment("sum", ctc.withReduction(LossReduction.SUM));
    alignment("blank", ctc.withReduction(LossReduction.NONE).withBlank(2));
    alignment("impossible", ctc.withReduction(LossReduction.SUM).withZeroInfinity(true));
  }

  private void alignment(String variant, CtcLoss loss) {
    add(
        "ctcLoss." + variant,
        in -> {
          List<Tensor> given = in.indices();
          Tensor logs = in.get(0).logSoftmax(2);
          return loss.forward(logs, given.get(0), given.get(1), given.get(2));
        });
  }

  private interface LabelLoss {
    Tensor of(Tensor values, Tensor labels);
  }

  private void labels(String name, LabelLoss loss) {
    add(name, in -> loss.of(in.get(0), in.index()));
  }

  private void distributions() {
    add(
        "categorical",
        null,
        in -> {
          Categorical categorical = Categorical.ofLogits(in.get(0));
          return List.of(categorical.logProbability(in.index()), categorical.entropy());
        });
    add(
        "categorical.probabilities",
        in -> Categorical.ofProbabilities(in.get(0).exp()).logProbability(in.index()));
    add(
        "normal",
        null,
        in -> {
          Normal normal = new Normal(in.get(0), in.get(1).exp());
          return List.of(normal.logProbability(in.get(2)), normal.entropy());
        });
  }

  private void layer(String name, Layer layer, UnaryOperator<Tensor> forward) {
    add(name, layer, in -> List.of(forward.apply(in.get(0))));
  }

  private void add(String name, Function<LayerCase.Inputs, Tensor> function) {
    add(name, null, in -> List.of(function.apply(in)));
  }

  private void add(
      String name, @Nullable Layer layer, Function<LayerCase.Inputs, List<Tensor>> function) {
    cases.add(new LayerCase(name, layer, function));
  }

  @Test
  void everyLayerComputesAndLearnsWhatTorchDoes() {
    compareAll(DType.FLOAT32, UnaryOperator.identity());
  }

  @Test
  void everyLayerComputesTheSameInFloat64() {
    compareAll(DType.FLOAT64, UnaryOperator.identity());
  }

  @Test
  void aPassThatCreatesAGraphFindsTheSameGradients() {
    compareAll(DType.FLOAT64, Backward::createGraph);
  }

  private void compareAll(DType type, UnaryOperator<Backward> pass) {
    assertAll(cases.stream().map(each -> () -> each.compareWith(reference, type, pass)));
  }

  /// But where results that a large number leaves alone are infinity less infinity, and where
  /// attention multiplies values that a target may not see by 0; both as in torch. Distributions
  /// refuse infinities.
  @Test
  void anInfiniteValueReachesOnlyWhatDependsOnIt() {
    Pattern others =
        Pattern.compile(
            "Rnn\\.relu|cosineEmbeddingLoss.*|tripletMarginLoss.*|ctcLoss.*|Transformer.*"
                + "|scaledDotProduct\\.causal|categorical.*|normal");
    assertAll(
        "-Dseed=" + seed,
        cases.stream()
            .filter(each -> !others.matcher(each.name()).matches())
            .map(each -> () -> each.checkInfinities(reference, random)));
  }

  /// But what changes running statistics, which no other engine can, and what ONNX has no operator
  /// for.
  @Test
  void onnxRuntimeComputesTheSame() {
    assertAll(
        cases.stream()
            .filter(each -> !List.of("BatchNorm", "BatchNorm.flat").contains(each.name()))
            .filter(each -> !each.name().startsWith("ctcLoss"))
            .map(each -> () -> each.compareOnnx(reference)));
  }

  /// The same layers, exported and loaded again, but for a table with a row that is not learned,
  /// which ONNX does not know.
  @Test
  void anExportedLayerIsLoadedAgain(@TempDir Path folder) {
    List<String> others = List.of("BatchNorm", "BatchNorm.flat", "Embedding.padding");
    assertAll(
        cases.stream()
            .filter(each -> !others.contains(each.name()))
            .filter(each -> !each.name().startsWith("ctcLoss"))
            .map(each -> () -> each.compareLoaded(reference, folder)));
  }

  @Test
  void onnxRuntimeComputesTheDerivativesToo() {
    assertAll(
        cases.stream()
            .filter(each -> !each.name().startsWith("ctcLoss"))
            .map(each -> () -> each.compareStep(reference)));
  }

  /// But where a derivative is not that of the values: at equal maxima, and for a row that is not
  /// learned.
  @Test
  void everyLayerHasTheDerivativesOfItsValues() {
    assertAll(
        "-Dseed=" + seed,
        cases.stream()
            .filter(each -> !List.of("maxPool2d.equal", "Embedding.padding").contains(each.name()))
            .map(each -> () -> each.checkGradient(reference, random)));
  }

  /// But at equal maxima, and CTC's, which torch has not, either.
  @Test
  void everyDerivativeHasADerivative() {
    assertAll(
        "-Dseed=" + seed,
        cases.stream()
            .filter(each -> !each.name().equals("maxPool2d.equal"))
            .filter(each -> !each.name().startsWith("ctcLoss"))
            .map(each -> () -> each.checkSecond(reference, random)));
    assertThat(cases)
        .filteredOn(each -> each.name().startsWith("ctcLoss"))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThatThrownBy(() -> each.checkSecond(reference, random))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("ctcLoss: has no second derivative"));
  }

  @Test
  void everyCaseOfTheReferenceIsCompared() {
    assertThat(
            reference.keySet().stream()
                .map(key -> key.substring(0, key.indexOf('/')))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(cases.stream().map(LayerCase::name).toList());
  }
}
