// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// A language model in three parts: embedding table and decoder on the parameter server, LSTM on
/// this worker.
public final class RnnModel implements RecurrentModel, AutoCloseable {
  private final Rpc rpc;
  private final Hyperparameters sizes;
  private final RemoteLayer<EmbeddingTable> embTable;
  private final Lstm rnn;
  private final RemoteLayer<Decoder> decoder;

  /// Creates an untrained model; equal seeds give equal models.
  ///
  /// @param server the worker for the embedding table and the decoder
  /// @param tokens the size of the vocabulary
  public RnnModel(Rpc rpc, String server, int tokens, Hyperparameters sizes, long seed) {
    this.rpc = rpc;
    this.sizes = sizes;
    SplittableRandom random = new SplittableRandom(seed);
    float dropout = sizes.dropout();
    // Set up the embedding table remotely, with sparse gradients, so that SGD changes only the rows
    // of the words in a batch.
    embTable =
        new RemoteLayer<>(
            rpc.remote(
                server,
                EmbeddingTable::new,
                tokens,
                sizes.embedding(),
                dropout,
                random.nextLong(),
                true));
    // Set up the LSTM locally.
    rnn = new Lstm(sizes.lstm(), random.split());
    // Set up the decoder remotely.
    decoder =
        new RemoteLayer<>(
            rpc.remote(server, Decoder::new, tokens, sizes.hidden(), dropout, random.nextLong()));
  }

  /// The result of a forward pass.
  ///
  /// @param decoded a score for each word, `[steps, batch, tokens]`
  /// @param hidden the LSTM's state after the last step
  public record Output(Tensor decoded, Lstm.State hidden) {}

  @Override
  public Output forward(Tensor input, Lstm.State hidden) {
    // Pass the input to the remote embedding table and fetch the embeddings back.
    Tensor emb = embTable.rpcSync(EmbeddingTable::forward, input);
    Lstm.Output output = rnn.forward(emb, hidden);
    // Pass the output to the remote decoder and fetch the decoded output back.
    Tensor decoded = decoder.rpcSync(Decoder::forward, output.sequence());
    return new Output(decoded, output.state());
  }

  @Override
  public Lstm.State initHidden(int texts) {
    Tensor zeros = Tensor.zeros(sizes.layers(), texts, sizes.hidden());
    return new Lstm.State(zeros, zeros);
  }

  /// Returns references to all parameters, local and remote, for a distributed optimizer.
  public List<RRef<Tensor>> parameterRrefs() {
    // Get references to the parameters of the embedding table.
    List<RRef<Tensor>> remoteParams = new ArrayList<>(embTable.remoteParameters());
    // Create references to the local parameters.
    rnn.parameters().forEach(parameter -> remoteParams.add(rpc.rref(parameter)));
    // Get references to the parameters of the decoder.
    remoteParams.addAll(decoder.remoteParameters());
    return remoteParams;
  }

  @Override
  public void train() {
    embTable.train();
    rnn.train();
    decoder.train();
  }

  @Override
  public void eval() {
    embTable.eval();
    rnn.eval();
    decoder.eval();
  }

  /// Returns the parameters of all parts, under the names of PyTorch's word-level model.
  StateDict state() {
    Map<String, Tensor> values = new LinkedHashMap<>(embTable.state().tensors());
    rnn.state().tensors().forEach((name, tensor) -> values.put("rnn." + name, tensor));
    values.putAll(decoder.state().tensors());
    return new StateDict(values);
  }

  /// Adds all parts to a checkpoint.
  Checkpoint addTo(Checkpoint checkpoint) {
    return checkpoint
        .withModel("embedding", embTable.rref())
        .withModel("rnn", rnn)
        .withModel("decoder", decoder.rref());
  }

  /// Releases the parts on the server.
  @Override
  public void close() {
    embTable.close();
    decoder.close();
  }
}
