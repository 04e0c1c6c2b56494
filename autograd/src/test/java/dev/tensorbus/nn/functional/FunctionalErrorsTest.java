// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.functional.Convolutions.Frames;
import dev.tensorbus.nn.loss.BceLoss;
import dev.tensorbus.nn.loss.BceWithLogitsLoss;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.CtcLoss;
import dev.tensorbus.nn.loss.HuberLoss;
import dev.tensorbus.nn.loss.MseLoss;
import dev.tensorbus.nn.loss.NllLoss;
import dev.tensorbus.nn.loss.SmoothL1Loss;
import dev.tensorbus.nn.loss.similarity.CosineEmbeddingLoss;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.nn.transformer.MultiheadAttention;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Arguments that do not fit are refused; the message has the given and the expected.
final class FunctionalErrorsTest {
  private final Tensor images = Tensor.zeros(2, 4, 5, 5);
  private final Tensor filters = Tensor.zeros(6, 2, 3, 3);

  @Test
  void convolutionsSayWhatDoesNotFit() {
    refused(
        () -> Convolutions.conv2d(images, filters, null, Sliding.ONE, 3),
        "conv2d: [2, 4, 5, 5] does not fit weight [6, 2, 3, 3]: 4 channels, 6 expected");
    refused(
        () -> Convolutions.conv2d(images, filters, null, Sliding.ONE, 4),
        "conv2d: 6 filters cannot be divided into 4 groups");
    refused(
        () -> Convolutions.conv2d(images, filters, null, Sliding.ONE.withDilation(3), 2),
        "conv2d: [2, 4, 5, 5] is smaller than a filter of [6, 2, 3, 3]");
    refused(
        () -> Convolutions.conv1d(images, filters, null, Sliding.ONE, 1),
        "conv1d: sequences [2, 4, 5, 5] and weight [6, 2, 3, 3]; expected three axes each");
    refused(
        () -> Convolutions.conv3d(images, filters, null, Frames.ONE, Sliding.ONE, 1),
        "conv3d: volumes [2, 4, 5, 5] and weight [6, 2, 3, 3]; expected five axes each");
    refused(
        () ->
            Convolutions.conv3d(
                Tensor.zeros(1, 1, 2, 5, 5),
                Tensor.zeros(1, 1, 3, 3, 3),
                null,
                Frames.ONE,
                Sliding.ONE,
                1),
        "conv3d: [1, 1, 2, 5, 5] is smaller than a filter of 3 frames");
    refused(
        () -> new Frames(1, -1, 1),
        "frames: stride 1, padding -1, dilation 1; expected at least 1, 0 and 1");
    refused(
        () -> Interpolations.nearest(images, new Pair(0, 1)),
        "interpolate: [2, 4, 5, 5] to [0, 1]; expected [n, c, h, w] and positive sizes");
    refused(
        () ->
            Convolutions.convTranspose2d(
                Tensor.zeros(2, 6, 5, 5), filters, null, Sliding.ONE, Pair.of(1), 1),
        "convTranspose2d: an output padding of [1, 1] does not fit stride [1, 1] and dilation"
            + " [1, 1]; expected at least 0, and less than one of them, on each axis");
    refused(
        () -> Sliding.ONE.withStride(0),
        "sliding: stride [0, 0], padding [0, 0], dilation [1, 1]; expected at least 1, 0, 1");
    refused(
        () -> ConvolutionOptions.of(4, 6, 3).withGroups(4),
        "convolution: 4 channels and 6 filters cannot be divided into 4 groups");
  }

  @Test
  void poolingsSayWhatDoesNotFit() {
    refused(
        () -> Poolings.maxPool2d(images, Pair.of(6), Sliding.ONE),
        "maxPool2d: a window of [6, 6] does not fit [2, 4, 5, 5]");
    refused(
        () -> Poolings.avgPool2d(images, Pair.of(3), Sliding.ONE.withPadding(2)),
        "avgPool2d: a padding of [2, 2] is more than half of the window [3, 3]");
    refused(
        () -> Poolings.adaptiveAvgPool2d(Tensor.zeros(3), Pair.of(1)),
        "adaptiveAvgPool2d: [3] has 1 axes, not four");
  }

  @Test
  void normalizationsSayWhatDoesNotFit() {
    Tensor three = Tensor.zeros(3);
    refused(
        () -> Normalizations.layerNorm(images, three, three, 1e-5),
        "layerNorm: [2, 4, 5, 5] does not end with the shape of weight [3]");
    refused(
        () -> Normalizations.layerNorm(images, Tensor.zeros(5), three, 1e-5),
        "layerNorm: the shapes of weight [5] and bias [3] differ");
    refused(
        () -> Normalizations.groupNorm(images, 3, Tensor.zeros(4), Tensor.zeros(4), 1e-5),
        "groupNorm: 4 channels cannot be divided into 3 groups");
    refused(
        () -> new BatchNorm(3).forward(images),
        "batchNorm: [2, 4, 5, 5] is not [n, channels, …] with as many channels as weight [3]");
    refused(
        () -> new BatchNorm(3).forward(Tensor.zeros(1, 3)),
        "batchNorm: [1, 3] has fewer than two values per channel; training needs at least two");
  }

  @Test
  void aSlidingThatWouldReplaceAnEarlierChoiceIsRefused() {
    ConvolutionOptions padded = ConvolutionOptions.of(1, 2, 3).withPadding(1);
    Sliding sliding = Sliding.ONE.withStride(2);
    assertThatThrownBy(() -> padded.withSliding(sliding))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "convolution: withSliding would replace stride [1, 1], padding [1, 1] and dilation"
                + " [1, 1]; set all of them in one Sliding");
    assertThat(ConvolutionOptions.of(1, 2, 3).withSliding(sliding).withPadding(1).sliding())
        .isEqualTo(padded.withStride(2).sliding());
  }

  @Test
  void embeddingsSayWhatDoesNotFit() {
    Tensor table = Tensor.zeros(5, 3);
    refused(
        () -> Embeddings.embedding(Tensor.ofLongs(1, 5), table),
        "embedding: index 5 is not in [0, 5)");
    refused(
        () -> new Embedding(5, 3, new SplittableRandom(1)).forward(Tensor.ofLongs(-1)),
        "embedding: index -1 is not in [0, 5)");
    refused(
        () -> Embeddings.embedding(Tensor.of(1), table, true),
        "embedding: the index is float32; convert it with to(DType.INT64)");
    refused(
        () ->
            Embeddings.embeddingBag(
                Tensor.ofLongs(1, 7), table, new int[] {0}, Embeddings.BagMode.SUM),
        "embeddingBag: index 7 is not in [0, 5)");
    refused(
        () -> Embedding.withPadding(5, 3, 5, new SplittableRandom(1)),
        "embedding: padding 5 is not in [0, 5)");
    refused(
        () -> Embeddings.embedding(Tensor.ofLongs(1), Tensor.zeros(5)),
        "embedding: weight [5] is not [rows, size]");
    refused(
        () ->
            Embeddings.embeddingBag(
                Tensor.ofLongs(1, 2), table, new int[] {0, 3}, Embeddings.BagMode.SUM),
        "embeddingBag: offsets [0, 3]; expected 0 first, no decrease, and none above 2");
  }

  @Test
  void attentionSaysWhatDoesNotFit() {
    refused(
        () ->
            Attention.scaledDotProduct(
                Tensor.zeros(2, 3), Tensor.zeros(2, 4), Tensor.zeros(2, 4), null),
        "scaledDotProduct: queries [2, 3] and keys [2, 4] do not fit");
    SplittableRandom random = new SplittableRandom(1);
    refused(
        () -> new MultiheadAttention(6, 4, 0, random),
        "attention: 6 values cannot be divided into 4 heads");
    Tensor flat = Tensor.zeros(2, 6);
    refused(
        () -> new MultiheadAttention(6, 2, 0, random).forward(flat, flat, flat, null),
        "attention: [2, 6] is not [n, positions, 6]");
  }

  @Test
  void lossesSayWhatDoesNotFit() {
    Tensor logits = Tensor.zeros(2, 3);
    refused(
        () -> new CrossEntropyLoss().forward(logits, Tensor.ofLongs(1, 2, 0)),
        "crossEntropyLoss: labels [3] do not fit values [2, 3]; expected values [n, classes, …]"
            + " and labels [n, …]");
    refused(
        () -> new CrossEntropyLoss().forward(logits, Tensor.ofLongs(0, 3)),
        "crossEntropyLoss: label 3 at index 1 is not in [0, 3); expected a class index, or"
            + " -100, which is ignored");
    refused(
        () ->
            new CrossEntropyLoss()
                .withWeight(Tensor.ones(3))
                .withIgnoreIndex(7)
                .forward(Tensor.zeros(2, 3, 2), Tensor.ofLongs(0, 7, 2, -1).reshape(2, 2)),
        "crossEntropyLoss: label -1 at index [1, 1] is not in [0, 3); expected a class index,"
            + " or 7, which is ignored");
    refused(
        () -> new NllLoss().withWeight(Tensor.ones(2)).forward(logits, Tensor.ofLongs(1, 2)),
        "nllLoss: weight [2] does not fit 3 classes");
    refused(
        () -> new NllLoss().forward(logits, Tensor.ofLongs(1, 3)),
        "nllLoss: label 3 at index 1 is not in [0, 3); expected a class index, or -100, which"
            + " is ignored");
    refused(
        () -> new MseLoss().forward(logits, Tensor.zeros(2, 1)),
        "mseLoss: the shapes of predicted [2, 3] and wanted [2, 1] differ");
    refused(
        () -> new BceWithLogitsLoss().forward(logits, Tensor.zeros(3)),
        "bceWithLogitsLoss: the shapes of predicted [2, 3] and wanted [3] differ");
    refused(
        () -> new CrossEntropyLoss().withLabelSmoothing(2),
        "cross-entropy loss: label smoothing 2.0 is not in [0, 1]");
    refused(
        () -> new SmoothL1Loss().withBeta(0),
        "smooth L1 loss: beta 0.0 is not positive; use L1Loss for a beta of 0");
    refused(() -> new HuberLoss().withDelta(0), "Huber loss: delta 0.0 is not positive");
    refused(
        () -> new BceLoss().forward(Tensor.of(0.5f, 2), Tensor.of(0, 1)),
        "bceLoss: 2.0 is not a probability; expected [0, 1], as returned by sigmoid(); for other"
            + " values use BceWithLogitsLoss");
    refused(
        () -> new CosineEmbeddingLoss().forward(logits, logits, Tensor.of(1)),
        "cosineEmbeddingLoss: wanted [1] does not fit [2, 3] and [2, 3]; expected [2]");
  }

  @Test
  void alignmentsSayWhatDoesNotFit() {
    Tensor logs = Tensor.zeros(4, 1, 3);
    Tensor targets = Tensor.ofLongs(1, 2).reshape(1, 2);
    Tensor two = Tensor.ofLongs(2);
    refused(
        () -> new CtcLoss().forward(logs, Tensor.ofLongs(1, 2), two, two),
        "ctcLoss: [4, 1, 3], targets [2], lengths [1] and [1]; expected [steps, n, classes],"
            + " [n, maxLength], [n], [n]");
    refused(
        () -> new CtcLoss().forward(logs, targets, Tensor.ofLongs(5), two),
        "ctcLoss: input length 5 is not in [0, 4]");
    refused(
        () -> new CtcLoss().forward(logs, targets, two, Tensor.ofLongs(3)),
        "ctcLoss: target length 3 is not in [0, 2]");
    refused(
        () -> new CtcLoss().withBlank(2).forward(logs, targets, two, two),
        "ctcLoss: label 2 of target 0 is not in [0, 3) without the blank 2");
    refused(
        () -> new CtcLoss().withBlank(3).forward(logs, targets, two, two),
        "ctcLoss: blank 3 is not in [0, 3)");
  }

  @Test
  void emptyBatchesGiveEmptyResults() {
    Tensor none = Tensor.zeros(0, 4, 5, 5);
    assertThat(Convolutions.conv2d(none, filters, null, Sliding.ONE, 2).shape())
        .isEqualTo(Shape.of(0, 6, 3, 3));
    assertThat(Poolings.maxPool2d(none, Pair.of(3), Sliding.ONE).shape())
        .isEqualTo(Shape.of(0, 4, 3, 3));
    assertThat(Poolings.avgPool2d(none, Pair.of(2), Sliding.ONE).shape())
        .isEqualTo(Shape.of(0, 4, 4, 4));
    assertThat(Poolings.adaptiveAvgPool2d(none, Pair.of(2)).shape())
        .isEqualTo(Shape.of(0, 4, 2, 2));
    assertThat(Embeddings.embedding(Tensor.ofLongs(), Tensor.zeros(5, 3)).shape())
        .isEqualTo(Shape.of(0, 3));
  }

  private static void refused(ThrowingCallable action, String message) {
    assertThatThrownBy(action).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
