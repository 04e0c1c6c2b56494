// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.nn.functional.Losses;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The cases of `torch/reference.py`, one line each: what is computed from a case's inputs here.
final class OperationCases {
  /// One rounding, or few.
  private static final float EXACT = 1e-6f;

  /// Sums of up to a hundred products, which torch adds in a different order.
  private static final float SUMS = 1e-5f;

  /// A whole network: sums of sums.
  private static final float NETWORK = 1e-4f;

  private final List<OperationCase> cases = new ArrayList<>();

  private OperationCases() {
    arithmetic();
    functions();
    masks();
    shapes();
    slices();
    indices();
    orders();
    reductions();
    products();
    matrices();
    equations();
    images();
    losses();
  }

  /// All of them.
  static List<OperationCase> all() {
    return List.copyOf(new OperationCases().cases);
  }

  private void arithmetic() {
    add("scale", EXACT, in -> in.x().scale(-1.5));
    add("neg", EXACT, in -> in.x().neg());
    binary("add", in -> in.x().add(in.y()));
    binary("sub", in -> in.x().sub(in.y()));
    binary("mul", in -> in.x().mul(in.y()));
    binary("div", in -> in.x().div(in.y()));
    unary("addScalar", x -> x.addScalar(1.7));
    unary("subScalar", x -> x.subScalar(1.7));
    unary("rsubScalar", x -> x.rsubScalar(1.7));
    unary("divScalar", x -> x.divScalar(1.7));
    binary("maximum", in -> in.x().maximum(in.y()));
    binary("minimum", in -> in.x().minimum(in.y()));
  }

  private void functions() {
    unary("abs", Tensor::abs);
    unary("sign", Tensor::sign);
    unary("floor", Tensor::floor);
    unary("ceil", Tensor::ceil);
    unary("round", Tensor::round);
    add("round.half.edges", EXACT, in -> in.x().round());
    unary("sin", Tensor::sin);
    unary("cos", Tensor::cos);
    unary("tan", Tensor::tan);
    unary("asin", Tensor::asin);
    unary("acos", Tensor::acos);
    unary("atan", Tensor::atan);
    unary("sinh", Tensor::sinh);
    unary("cosh", Tensor::cosh);
    unary("relu", Tensor::relu);
    unary("reciprocal", Tensor::reciprocal);
    unary("sqrt", Tensor::sqrt);
    unary("square", Tensor::square);
    unary("pow", x -> x.pow(3));
    unary("pow.root", x -> x.pow(0.5));
    unary("pow.inverse", x -> x.pow(-2));
    unary("exp", Tensor::exp);
    unary("log", Tensor::log);
    unary("clamp", x -> x.clamp(-0.5, 0.7));
    unary("leakyRelu", x -> x.leakyRelu(0.1));
    unary("sigmoid", Tensor::sigmoid);
    unary("tanh", Tensor::tanh);
    unary("silu", Tensor::silu);
    unary("softplus", Tensor::softplus);
    unary("gelu", Tensor::gelu);
    unary("geluTanh", Tensor::geluTanh);
  }

  private void masks() {
    variants("lt", in -> in.x().lt(in.y()), "", ".row");
    variants("le", in -> in.x().le(in.y()), "", ".row");
    variants("gt", in -> in.x().gt(in.y()), "", ".row");
    variants("ge", in -> in.x().ge(in.y()), "", ".row");
    variants("eq", in -> in.x().eq(in.y()), "", ".row");
    variants("ne", in -> in.x().ne(in.y()), "", ".row");
    add("lt.number.edges", EXACT, in -> in.x().lt(0.5));
    add("le.number.edges", EXACT, in -> in.x().le(0.5));
    add("gt.number.edges", EXACT, in -> in.x().gt(0.5));
    add("ge.number.edges", EXACT, in -> in.x().ge(0.5));
    add("eq.number.edges", EXACT, in -> in.x().eq(0.5));
    add("ne.number.edges", EXACT, in -> in.x().ne(0.5));
    Tensor zero = Tensor.scalar(0);
    add("not", EXACT, in -> in.x().lt(in.y()).not());
    add("and", EXACT, in -> in.x().lt(zero).and(in.y().lt(zero)));
    add("or", EXACT, in -> in.x().lt(zero).or(in.y().lt(zero)));
    add("where", EXACT, in -> in.x().scale(2).where(in.x().gt(in.y()), in.y()));
    add("where.broadcast", EXACT, in -> in.x().where(in.x().gt(zero), in.y()));
    add("maskedFill", EXACT, in -> in.x().maskedFill(in.x().gt(zero), -2));
    add("maskedFill.edges", EXACT, in -> in.x().maskedFill(in.x().gt(zero), -1 / 0.0));
    add("maskedSelect", EXACT, in -> in.x().maskedSelect(in.x().gt(0)));
    add("maskedSelect.row", EXACT, in -> in.x().mul(in.y()).maskedSelect(in.y().gt(0)));
    add(
        "maskedSelect.rows",
        EXACT,
        in -> in.x().maskedSelect(in.y().gt(0)).mul(in.y().maskedSelect(in.y().gt(0))));
    add("maskedSelect.none", EXACT, in -> in.x().maskedSelect(in.x().gt(100)));
    add("maskedSelect.empty", EXACT, in -> in.x().maskedSelect(in.x().gt(0)));
  }

  private void shapes() {
    add("reshape", EXACT, in -> in.x().reshape(2, 6));
    add("reshape.rest", EXACT, in -> in.x().reshape(2, -1));
    add("flatten", EXACT, in -> in.x().flatten(1));
    add("unsqueeze", EXACT, in -> in.x().unsqueeze(1));
    add("squeeze", EXACT, in -> in.x().squeeze(1));
    add("transpose", EXACT, in -> in.x().transpose(0, 1));
    add("transpose.far", EXACT, in -> in.x().transpose(0, -1));
    variants("permute", in -> in.x().permute(2, 0, 1), "", ".empty");
    add("expand", EXACT, in -> in.x().expand(2, 3, 4));
  }

  private void slices() {
    add("slice", EXACT, in -> in.x().slice(1, 1, 3));
    add("slice.empty", EXACT, in -> in.x().slice(1, 2, 2));
    add("select", EXACT, in -> in.x().select(1, -2));
    add("flip", EXACT, in -> in.x().flip(1));
    add("flip.several", EXACT, in -> in.x().flip(0, 2));
    add("roll", EXACT, in -> in.x().roll(2, 1));
    add("roll.back", EXACT, in -> in.x().roll(-1, 0));
    add("roll.round", EXACT, in -> in.x().roll(8, 1));
    add("roll.empty", EXACT, in -> in.x().roll(1, 1));
    add("meshgrid", EXACT, in -> Tensor.stack(Tensor.meshgrid(in.tensors()), 0));
    add("split", EXACT, in -> numbered(in.x().split(2, 1)));
    add("concatenate", EXACT, in -> Tensor.concatenate(in.tensors(), 1));
    add("concatenate.empty", EXACT, in -> Tensor.concatenate(in.tensors(), 0));
    add("stack", EXACT, in -> Tensor.stack(in.tensors(), 1));
    add("pad", EXACT, in -> in.x().pad(1, 1, 2, 0.5));
    add("pad.outer", EXACT, in -> in.x().pad(0, 2, 0, 0));
  }

  private static Tensor numbered(List<Tensor> parts) {
    List<Tensor> scaled = new ArrayList<>();
    for (Tensor part : parts) {
      scaled.add(part.scale(scaled.size() + 1));
    }
    return Tensor.concatenate(scaled, 1);
  }

  private void indices() {
    add("indexSelect", EXACT, in -> in.x().indexSelect(1, in.index()));
    add("indexSelect.rows", EXACT, in -> in.x().indexSelect(0, in.index()));
    add("indexSelect.all", EXACT, in -> in.x().indexSelect(0, in.index()));
    add("indexSelect.last", EXACT, in -> in.x().indexSelect(-1, in.index()));
    add("indexSelect.mask", EXACT, in -> in.x().indexSelect(0, in.index().to(DType.BOOL)));
    add("indexSelect.mask.last", EXACT, in -> in.x().indexSelect(-1, in.index().to(DType.BOOL)));
    add("indexSelect.empty", EXACT, in -> in.x().indexSelect(1, in.index()));
    add("gather", EXACT, in -> in.x().gather(1, in.index()));
    add("gather.first", EXACT, in -> in.x().gather(0, in.index()));
    add("scatterAdd", EXACT, in -> in.x().scatterAdd(1, in.index(), in.y()));
  }

  private void orders() {
    order("", 1, false);
    order(".descending", 1, true);
    order(".first", 0, false);
    order(".last", -1, true);
    order(".ties.edges", 1, false);
    order(".ties.descending.edges", 1, true);
    add("sort.indices", EXACT, in -> in.x().sort(0, false).indices());
    add("sort.empty", EXACT, in -> in.x().sort(1, false).values());
    add("topk", EXACT, in -> in.x().topk(2, 1, true).values());
    add("topk.smallest", EXACT, in -> in.x().topk(3, 0, false).values());
    add("topk.indices", EXACT, in -> in.x().topk(3, -1, true).indices());
    add("topk.none.edges", EXACT, in -> in.x().topk(0, -1, true).values());
    add("topk.edges", EXACT, in -> in.x().topk(3, 1, true).values());
    add("unique", EXACT, in -> in.x().unique().values());
    add("unique.inverse", EXACT, in -> in.x().unique().inverse());
    add("unique.counts", EXACT, in -> in.x().unique().counts());
    scan("cumsum", Tensor::cumsum);
    scan("cumprod", Tensor::cumprod);
    add("cumprod.zeros", EXACT, in -> in.x().cumprod(1));
  }

  private void order(String variant, int axis, boolean descending) {
    add("sort" + variant, EXACT, in -> in.x().sort(axis, descending).values());
    add("argsort" + variant, EXACT, in -> in.x().argsort(axis, descending));
  }

  private void scan(String name, BiFunction<Tensor, Integer, Tensor> function) {
    add(name, SUMS, in -> function.apply(in.x(), 1));
    add(name + ".first", SUMS, in -> function.apply(in.x(), 0));
    add(name + ".last", SUMS, in -> function.apply(in.x(), -1));
    add(name + ".empty", SUMS, in -> function.apply(in.x(), 1));
    add(name + ".edges", SUMS, in -> function.apply(in.x().detach(), 1));
  }

  private void reductions() {
    over("", y -> y);
    over(".axis", y -> y, 1);
    over(".keepDim", y -> y.unsqueeze(0), 0);
    over(".several", y -> y, 0, 2);
    over(".apart", y -> y.unsqueeze(0).unsqueeze(-1), 0, -1);
    over(".middle", y -> y.unsqueeze(1), 1);
    over(".all", y -> y, 0, 1, 2);
    add("sum.empty", SUMS, in -> in.x().sum());
    add("varWithCorrection.one", EXACT, in -> in.x().varWithCorrection(0, 1));
    add("stdWithCorrection.one", EXACT, in -> in.x().stdWithCorrection(0, 1));
    add("var.none.edges", EXACT, in -> in.x().var(1));
    add("std.none.edges", EXACT, in -> in.x().std(1));
    add("sum.four", SUMS, in -> in.x().sum(1, 3));
    add("sum.none", SUMS, in -> in.x().sum(1));
    add("max.edges", EXACT, in -> in.x().max(1));
    add("vectorNorm.one", SUMS, in -> in.x().vectorNorm(1, 1));
    add("vectorNorm.three", SUMS, in -> in.x().vectorNorm(3, 1));
    add("vectorNorm.half", SUMS, in -> in.x().vectorNorm(1.5, 1));
    add("vectorNorm.greatest", EXACT, in -> in.x().vectorNorm(1 / 0.0, 1));
    add("vectorNorm.edges", SUMS, in -> in.x().vectorNorm(2, 1));
    variants("norm", in -> in.x().norm(), "", ".empty", ".edges");
    add("logsumexp.edges", SUMS, in -> in.x().logsumexp(1));
    add("logsumexp.nothing.edges", SUMS, in -> in.x().detach().logsumexp(0));
    add("argmax", EXACT, in -> in.x().argmax(1));
    add("argmax.first", EXACT, in -> in.x().argmax(0));
    add("argmin", EXACT, in -> in.x().argmin(-1));
    variants("softmax", in -> in.x().softmax(1), "", ".edges");
    add("softmax.first", SUMS, in -> in.x().softmax(0));
    variants("logSoftmax", in -> in.x().logSoftmax(1), "", ".middle", ".edges");
  }

  /// @param kept inserts the reduced axes again, as torch's `keepdim` does
  private void over(String variant, UnaryOperator<Tensor> kept, int... axes) {
    reduction("sum" + variant, SUMS, kept, x -> x.sum(axes));
    reduction("mean" + variant, SUMS, kept, x -> x.mean(axes));
    reduction("var" + variant, SUMS, kept, x -> x.var(axes));
    reduction("varWithCorrection" + variant, SUMS, kept, x -> x.varWithCorrection(0, axes));
    reduction("std" + variant, SUMS, kept, x -> x.std(axes));
    reduction("stdWithCorrection" + variant, SUMS, kept, x -> x.stdWithCorrection(0, axes));
    reduction("max" + variant, EXACT, kept, x -> x.max(axes));
    reduction("min" + variant, EXACT, kept, x -> x.min(axes));
    reduction("vectorNorm" + variant, SUMS, kept, x -> x.vectorNorm(2, axes));
    reduction("logsumexp" + variant, SUMS, kept, x -> x.logsumexp(axes));
  }

  private void reduction(
      String name, float tolerance, UnaryOperator<Tensor> kept, UnaryOperator<Tensor> function) {
    add(name, tolerance, in -> kept.apply(function.apply(in.x())));
  }

  private void products() {
    variants(
        "matmul",
        in -> in.x().matmul(in.y()),
        "",
        ".batch",
        ".broadcast",
        ".right",
        ".left",
        ".vectors",
        ".column",
        ".row",
        ".empty",
        ".none");
    variants("linear", in -> in.x().linear(in.y(), in.get(2)), "", ".batch");
  }

  private void matrices() {
    add("outer", EXACT, in -> in.x().outer(in.y()));
    variants("diag", in -> in.x().diag(0), "", ".vector");
    add("diag.above", EXACT, in -> in.x().diag(2));
    add("diag.below", EXACT, in -> in.x().diag(-1));
    add("diag.corner", EXACT, in -> in.x().diag(4));
    add("diag.vector.above", EXACT, in -> in.x().diag(1));
    add("diag.vector.below", EXACT, in -> in.x().diag(-2));
    add("trace", SUMS, in -> in.x().trace());
    triangle("tril", Tensor::tril);
    triangle("triu", Tensor::triu);
  }

  private void triangle(String name, BiFunction<Tensor, Integer, Tensor> function) {
    add(name, EXACT, in -> function.apply(in.x(), 0));
    add(name + ".above", EXACT, in -> function.apply(in.x(), 1));
    add(name + ".below", EXACT, in -> function.apply(in.x(), -2));
    add(name + ".far", EXACT, in -> function.apply(in.x(), 9));
    add(name + ".edges", EXACT, in -> function.apply(in.x(), 0));
  }

  private void equations() {
    einsum("", "ij,jk->ik");
    einsum(".batch", "bij,bjk->bik");
    einsum(".diagonal", "ii->i");
    einsum(".trace", "ii");
    einsum(".outer", "i,j->ij");
    einsum(".transpose", "ij->ji");
    einsum(".implied", "ba");
    einsum(".elements", "ij,ij->ij");
    einsum(".inner", "i,i");
    einsum(".bilinear", "bn,anm,bm->ba");
    einsum(".dots", "...ij,...jk->...ik");
    einsum(".dots.sum", "...i->...");
    einsum(".row", "ij,j");
    einsum(".sums", "ijk->j");
    einsum(".apart", "ij,kl->");
    einsum(".dots.diagonal", "...ii->...i");
    einsum(".one", "ij,ij->i");
    einsum(".attention", "bqhd,bkhd->bhqk");
    einsum(".spaces", " i j -> j ");
    einsum(".cube", "iii->i");
    einsum(".empty", "ij,jk->ik");
  }

  private void einsum(String variant, String equation) {
    add(
        "einsum" + variant,
        SUMS,
        in -> Tensor.einsum(equation, in.tensors().toArray(Tensor[]::new)));
  }

  private void images() {
    add("maxPool2d", EXACT, in -> in.x().maxPool2d(2));
    add("maxPool2d.three", EXACT, in -> in.x().maxPool2d(3));
    variants("conv2d", in -> in.x().conv2d(in.y(), in.get(2)), "", ".one");
    add(
        "net",
        NETWORK,
        in -> {
          Tensor images = in.x().conv2d(in.y(), in.get(2)).relu();
          Tensor features = images.conv2d(in.get(3), in.get(4)).maxPool2d(2).flatten(1);
          Tensor hidden = features.linear(in.get(5), in.get(6)).relu();
          return hidden.linear(in.get(7), in.get(8)).logSoftmax(1);
        });
  }

  private void losses() {
    add("nllLoss", EXACT, in -> Losses.nllLoss(in.x(), in.index()));
    add("crossEntropy", SUMS, in -> Losses.crossEntropy(in.x(), in.index()));
    add("crossEntropy.long", EXACT, in -> Losses.crossEntropy(in.x(), in.index()));
    add("mseLoss", SUMS, in -> Losses.mseLoss(in.x(), in.y()));
    add("l1Loss", SUMS, in -> Losses.l1Loss(in.x(), in.y()));
  }

  private void add(String name, float tolerance, Function<OperationCase.Inputs, Tensor> function) {
    cases.add(new OperationCase(name, tolerance, function));
  }

  private void variants(
      String name, Function<OperationCase.Inputs, Tensor> function, String... variants) {
    for (String variant : variants) {
      add(name + variant, SUMS, function);
    }
  }

  private void unary(String name, Function<Tensor, Tensor> function) {
    variants(name, in -> function.apply(in.x()), "", ".empty", ".edges");
  }

  private void binary(String name, Function<OperationCase.Inputs, Tensor> function) {
    variants(
        name, function, "", ".row", ".rows", ".scalar", ".column", ".outer", ".middle", ".empty",
        ".edges");
  }
}
