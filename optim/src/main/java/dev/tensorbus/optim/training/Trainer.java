// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Summary;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.checkpoint.Contents;
import dev.tensorbus.optim.schedule.ReduceLrOnPlateau;
import dev.tensorbus.optim.schedule.Schedule;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.training.metric.Metric;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.thread.time.NanoClock;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Trains a model for several epochs. The same loop trains a model in this process, one of several
/// copies, or a model on a parameter server. Like PyTorch Lightning's `Trainer`.
///
/// ```java
/// var trainer =
///     Trainer.of(net, new Adam(0.001), new CrossEntropyLoss())
///         .withMetric(new Accuracy())
///         .withCheckpoints(new Checkpoints(folder, 3));
/// trainer.resume();
/// trainer.fit(training, validation, 10);
/// ```
///
/// Each `with` method changes this trainer and returns it. The trainer logs one line per epoch, and
/// one every ten seconds during a long epoch, and reports each step to the worker's
/// [progress][Rpc#progress]. A model with several inputs is trained with a [TrainingStep]. If the
/// trainer does not fit your needs, write your own loop.
///
/// Not thread-safe. Do not call it on an event loop.
///
/// @param <B> type of a batch: [Batch], or what a [TrainingStep] takes
public final class Trainer<B> {
  private static final System.Logger LOGGER = System.getLogger(Trainer.class.getName());

  private final Strategy strategy;
  private final TrainingStep<B> step;
  private final Advance advance;
  private final List<Metric> metrics;
  private final List<TrainerListener> listeners = new ArrayList<>();
  private final Schedules schedules;
  private Measure measure = Measure.smallest("loss");
  private int accumulation = 1;
  private long patience = Long.MAX_VALUE;
  private @Nullable Clipping clipping;
  private @Nullable Device device;

  /// Computes the losses of training: the same as `step`, on the device if there is one.
  private TrainingStep<B> learning;

  private @Nullable Checkpoints checkpoints;
  private long checkpointSteps = Long.MAX_VALUE;
  private long checkpointNanos = Long.MAX_VALUE;

  /// When this trainer has last saved a checkpoint, or found that another one saves them.
  private long savedAt;

  private NanoClock clock = NanoClock.SYSTEM;

  /// Whether no other trainer has written the last checkpoint, as far as this one knows.
  private boolean isWriter = true;

  /// Whether a checkpoint could not be taken after its step.
  private boolean isDue;

  private @Nullable AveragedModel<?> average;
  private @Nullable Record settings;
  private Progress progress;

  /// @param metrics the metrics that the step's validation updates
  private Trainer(Strategy strategy, TrainingStep<B> step, List<Metric> metrics) {
    if (step.reduction() == LossReduction.NONE) {
      throw new IllegalArgumentException(
          "trainer: a loss with reduction NONE has a value for each example; use MEAN or SUM");
    }
    this.strategy = strategy;
    this.step = step;
    this.learning = step;
    this.metrics = metrics;
    this.progress = strategy.progress();
    this.advance = new Advance(TotalLoss.none(step.reduction()));
    this.schedules = new Schedules(strategy.groups());
  }

  /// Creates a trainer for a model in this process.
  public static <L extends Layer & Forward> Trainer<Batch> of(
      L model, OptimizerSpec optimizer, Loss loss) {
    return supervised(Strategy.here(model, optimizer), model::forward, loss);
  }

  /// Creates a trainer for a model in this process whose loss is computed by a function of the
  /// batch. The type of the batch must be declared: `(Pairs batch) -> …`.
  public static <B> Trainer<B> of(Layer model, OptimizerSpec optimizer, TrainingStep<B> step) {
    return new Trainer<>(Strategy.here(model, optimizer), step, new ArrayList<>());
  }

  /// Creates a trainer for one of several data-parallel copies of a model. Each copy learns from a
  /// different part of the data, and all copies remain equal. The trainers of all copies must have
  /// the same settings, call the same methods and take the same number of steps; otherwise all of
  /// them fail at the start. The copy with the lowest rank writes and reads the checkpoints, and
  /// its measure determines the best epoch for all copies.
  public static <L extends Layer & Forward> Trainer<Batch> of(
      DistributedDataParallel<L> copy, OptimizerSpec optimizer, Loss loss) {
    return supervised(Strategy.copy(copy, optimizer), copy.layer()::forward, loss);
  }

  /// Creates a trainer for one of several data-parallel copies of a model whose loss is computed by
  /// a function of the batch. The function runs this copy of the model.
  public static <B> Trainer<B> of(
      DistributedDataParallel<? extends Layer> copy,
      OptimizerSpec optimizer,
      TrainingStep<B> step) {
    return new Trainer<>(Strategy.copy(copy, optimizer), step, new ArrayList<>());
  }

  /// Creates a trainer for a model that another worker owns. Other trainers may train the same
  /// model concurrently; the owner applies their steps one after another.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if the owner cannot create the optimizer
  public static <L extends Layer & Forward> Trainer<Batch> of(
      Rpc rpc, RemoteLayer<L> model, OptimizerSpec optimizer, Loss loss) {
    return supervised(
        Strategy.there(rpc, model, optimizer), inputs -> ServerStrategy.call(model, inputs), loss);
  }

  /// Creates a trainer for a model that another worker owns, whose loss is computed by a function
  /// of the batch. The function calls the model with [RemoteLayer#rpcSync].
  ///
  /// @throws dev.tensorbus.rpc.RpcException if the owner cannot create the optimizer
  public static <B> Trainer<B> of(
      Rpc rpc, RemoteLayer<? extends Layer> model, OptimizerSpec optimizer, TrainingStep<B> step) {
    return new Trainer<>(Strategy.there(rpc, model, optimizer), step, new ArrayList<>());
  }

  /// Creates one of the trainers of a model whose parameters live on parameter servers. The store
  /// decides how the steps of the trainers are combined. If it has shards, all trainers are given
  /// the same data, of which each computes its shards and those of trainers that have died; a
  /// trainer that joins later starts where the others are.
  ///
  /// The first of the present trainers, in order of their names, writes the checkpoints. All of
  /// them resume before the first step, from a folder that all can read.
  public static <L extends Layer & Forward> Trainer<Batch> of(ParameterStore<L> store, Loss loss) {
    return of(store.model(), List.of(store), loss);
  }

  /// Creates one of the trainers of a model whose parameters live on parameter servers. The loss is
  /// computed by a function of the batch, which runs this trainer's model.
  public static <B> Trainer<B> of(ParameterStore<?> store, TrainingStep<B> step) {
    return of(store.model(), List.of(store), step);
  }

  /// Creates one of the trainers of a model whose parameters live on parameter servers in several
  /// groups, each with its own optimizer and consistency. Each store has one part of the model, and
  /// neither shards nor local steps. A step pushes to all of them; clipping is by the norm of all
  /// gradients, and checkpoints contain all groups.
  ///
  /// @throws IllegalArgumentException if a parameter that requires a gradient is not in exactly one
  ///     of the groups, or a store has shards or local steps
  public static <L extends Layer & Forward> Trainer<Batch> of(
      L model, List<? extends ParameterStore<?>> stores, Loss loss) {
    return supervised(Strategy.stores(model, stores), model::forward, loss);
  }

  /// Creates one of the trainers of a model whose parameters live on parameter servers in several
  /// groups. The loss is computed by a function of the batch, which runs this trainer's model.
  public static <B> Trainer<B> of(
      Layer model, List<? extends ParameterStore<?>> stores, TrainingStep<B> step) {
    return new Trainer<>(Strategy.stores(model, stores), step, new ArrayList<>());
  }

  private static Trainer<Batch> supervised(
      Strategy strategy, UnaryOperator<Tensor> forward, Loss loss) {
    List<Metric> metrics = new ArrayList<>();
    return new Trainer<>(strategy, new Supervised(forward, loss, metrics), metrics);
  }

  /// Adds a metric, which every validation computes. A trainer with a [TrainingStep] only resets
  /// and reads it; the step's [validationLoss][TrainingStep#validationLoss] updates it.
  ///
  /// @throws IllegalArgumentException if the metric and the loss ignore different labels
  public Trainer<B> withMetric(Metric metric) {
    if (step instanceof Supervised supervised) {
      supervised.requireSameIgnored(metric);
    }
    metrics.add(metric);
    return this;
  }

  /// Adds a schedule that advances after each epoch.
  public Trainer<B> withSchedule(Schedule schedule) {
    schedules.addByEpoch(schedule);
    return this;
  }

  /// Adds a schedule that advances after each step, such as a one-cycle policy; its "epochs" are
  /// steps.
  public Trainer<B> withStepSchedule(Schedule schedule) {
    schedules.addByStep(schedule);
    return this;
  }

  /// Adds a schedule of one of the [#groups] that advances after each epoch.
  ///
  /// @throws IllegalArgumentException if the group is not one of this trainer
  public Trainer<B> withSchedule(Schedule schedule, ParameterGroup<?> group) {
    schedules.addByEpoch(schedule, group);
    return this;
  }

  /// Adds a schedule of one of the [#groups] that advances after each step.
  ///
  /// @throws IllegalArgumentException if the group is not one of this trainer
  public Trainer<B> withStepSchedule(Schedule schedule, ParameterGroup<?> group) {
    schedules.addByStep(schedule, group);
    return this;
  }

  /// Returns the parameter groups: one for each store, or a single one. Like torch's
  /// `param_groups`.
  public List<? extends ParameterGroup<?>> groups() {
    return strategy.groups();
  }

  /// Adds a schedule that reduces the learning rate when the [measure][#compareBy] has stopped
  /// improving. Both must maximize, or both must minimize.
  public Trainer<B> withSchedule(ReduceLrOnPlateau schedule) {
    schedules.addByMeasure(schedule);
    return this;
  }

  /// Clips the gradients of each step.
  ///
  /// @throws IllegalStateException if clipping is already set
  public Trainer<B> withClipping(Clipping clipping) {
    requireFirst("withClipping", this.clipping);
    this.clipping = clipping;
    return this;
  }

  /// Accumulates the gradients of several batches per step, for batches that do not fit into memory
  /// together. The last step of an epoch uses the remaining batches.
  ///
  /// @throws IllegalArgumentException if `batches` is below 1
  public Trainer<B> withAccumulation(int batches) {
    if (batches < 1) {
      throw new IllegalArgumentException("accumulation " + batches + " must be 1 or more");
    }
    accumulation = batches;
    return this;
  }

  /// Computes each loss of [#fit] and its gradients on a device, as one graph in ONNX Runtime.
  /// Everything else runs in Java as usual: clipping, accumulation, averaging over copies, updates
  /// and validation. Frees native memory when `fit` returns or fails. See
  /// [dev.tensorbus.autograd.onnx.CompiledLoss] for what is compiled and when.
  ///
  /// A batch must be a tensor, or a record or list of tensors. The loss must depend only on the
  /// batch, the model and random numbers of dropout.
  ///
  /// @throws IllegalStateException if another worker owns the model, or a device is already set
  /// @throws dev.tensorbus.autograd.OnnxException if ONNX Runtime is missing or cannot use the
  ///     device
  public Trainer<B> compiled(Device device) {
    requireFirst("compiled", this.device);
    if (strategy.model().isEmpty()) {
      throw new IllegalStateException(
          "compiled: the model is on another worker, and a graph cannot span workers; train copies"
              + " of it, with DistributedDataParallel or a ParameterStore");
    }
    device.require();
    this.device = device;
    return this;
  }

  /// Sets the measure by which epochs are compared (default: the loss, where smaller is better).
  public Trainer<B> compareBy(Measure measure) {
    this.measure = measure;
    return this;
  }

  /// Stops training when the measure has not improved for `patience` epochs.
  ///
  /// @throws IllegalArgumentException if `patience` is below 1
  public Trainer<B> withEarlyStopping(int patience) {
    if (patience < 1) {
      throw new IllegalArgumentException("patience " + patience + " must be 1 or more");
    }
    this.patience = patience;
    return this;
  }

  /// Saves a checkpoint after each epoch, and the best one separately.
  ///
  /// @throws IllegalStateException if checkpoints are already set
  public Trainer<B> withCheckpoints(Checkpoints checkpoints) {
    requireFirst("withCheckpoints", this.checkpoints);
    this.checkpoints = checkpoints;
    return this;
  }

  /// Saves a checkpoint after each epoch and, for long epochs, also after every `steps` steps.
  ///
  /// @throws IllegalArgumentException if `steps` is below 1
  /// @throws IllegalStateException if checkpoints are already set
  public Trainer<B> withCheckpoints(Checkpoints checkpoints, int steps) {
    if (steps < 1) {
      throw new IllegalArgumentException(
          "checkpoints every " + steps + " steps; expected 1 or more");
    }
    withCheckpoints(checkpoints);
    checkpointSteps = steps;
    return this;
  }

  /// Saves a checkpoint after each epoch and, for long epochs, also when this time has passed since
  /// the last one.
  ///
  /// @throws IllegalArgumentException if `interval` is not positive
  /// @throws IllegalStateException if checkpoints are already set
  public Trainer<B> withCheckpoints(Checkpoints checkpoints, Duration interval) {
    if (!interval.isPositive()) {
      throw new IllegalArgumentException(
          "checkpoints every " + interval + "; expected a time above 0");
    }
    withCheckpoints(checkpoints);
    checkpointNanos = interval.toNanos();
    return this;
  }

  /// Measures times with another clock.
  Trainer<B> withClock(NanoClock clock) {
    this.clock = clock;
    return this;
  }

  /// Averages the parameters after each step, and saves the averages in each checkpoint.
  ///
  /// @throws IllegalStateException if an average is already set
  public Trainer<B> withAverage(AveragedModel<?> averaged) {
    requireFirst("withAverage", average);
    average = averaged;
    return withListener(averaged);
  }

  /// Saves the settings of the run in each checkpoint; see [Checkpoint#withSettings].
  ///
  /// @throws IllegalStateException if settings are already set
  /// @throws dev.tensorbus.optim.checkpoint.CheckpointException if they cannot be encoded
  public Trainer<B> withSettings(Record settings) {
    requireFirst("withSettings", this.settings);
    new Checkpoint().withSettings(settings); // refuses settings that cannot be saved
    this.settings = settings;
    return this;
  }

  private static void requireFirst(String method, @Nullable Object before) {
    if (before != null) {
      throw new IllegalStateException(
          method + ": would replace the value of an earlier call; call it once");
    }
  }

  /// Sets the progress to which steps are reported. By default, it is that of the worker, for
  /// copies and for a model on a server, and none for a model in this process: pass
  /// `rpc.progress()` to show its training on the page of a world.
  public Trainer<B> withProgress(Progress progress) {
    this.progress = progress;
    return this;
  }

  /// Adds a listener.
  public Trainer<B> withListener(TrainerListener listener) {
    listeners.add(listener);
    return this;
  }

  /// Resumes from the newest checkpoint, if there is one. Restores the model, the optimizer, the
  /// schedules and the position in the data: the epoch, which determines the order of the examples,
  /// and the number of its finished batches. The trainers of all copies must call this method: the
  /// copy with the lowest rank reads its checkpoint and sends it to the others. If one of them
  /// fails, all fail.
  ///
  /// @return whether there was a checkpoint
  /// @throws IllegalStateException if there is no checkpoint folder, or not all copies resume
  /// @throws dev.tensorbus.optim.checkpoint.CheckpointException if the checkpoint is damaged or
  ///     belongs to another trainer
  public boolean resume() {
    Agreement.require(strategy.gather(Map.of(Agreement.CALL, "resume")));
    boolean isRestored = strategy.restore(parts(), this::newest);
    if (isRestored) {
      strategy.resumeAt(advance.steps());
      LOGGER.log(
          Level.INFO,
          () ->
              "resumed after step %d, %d complete epochs"
                  .formatted(advance.steps(), advance.epochs()));
    }
    return isRestored;
  }

  private Optional<Path> newest() {
    if (checkpoints == null) {
      throw new IllegalStateException("resume: call withCheckpoints first to set the folder");
    }
    return checkpoints.newest();
  }

  /// Returns a checkpoint of the model, the optimizer and all other state that a later run needs to
  /// continue.
  ///
  /// @throws IllegalStateException if other trainers of a store have taken steps meanwhile, or this
  ///     one has local steps to push
  public Checkpoint checkpoint() {
    if (!strategy.fetch(advance.steps())) {
      throw new IllegalStateException(
          "checkpoint: the servers do not have the values after this trainer's last step; call it in"
              + " a listener of fit, and after the last local step of a push");
    }
    return parts();
  }

  private Checkpoint parts() {
    Checkpoint checkpoint = new Checkpoint();
    strategy.addTo(checkpoint);
    if (average != null) {
      checkpoint.withModel("average", average.layer());
    }
    if (settings != null) {
      checkpoint.withSettings(settings);
    }
    schedules.addTo(checkpoint);
    return checkpoint.withProgress("trainer", advance);
  }

  /// Returns the number of finished epochs, including those finished before a resume.
  public int epochs() {
    return Math.toIntExact(advance.epochs());
  }

  /// Trains without validation.
  ///
  /// @see #fit(DataLoader, Iterable, int)
  public List<Epoch> fit(DataLoader<?, B> training, int epochs) {
    return run(training, null, epochs);
  }

  /// Trains until `epochs` epochs are finished, including those finished before a resume.
  ///
  /// @param training the training batches; their order depends on the epoch's number
  /// @param validation the validation batches
  /// @return the epochs of this run
  /// @throws IllegalArgumentException if a plateau schedule and the measure optimize in different
  ///     directions, the measure needs validation, or no target of an epoch contributes to the loss
  /// @throws IllegalStateException if a new run would overwrite an earlier run's checkpoints, the
  ///     trainers of copies differ, or parameters were added to the model after the trainer was
  ///     created
  /// @throws dev.tensorbus.optim.NonFiniteGradientException if a gradient is not finite
  /// @throws dev.tensorbus.optim.checkpoint.CheckpointException if a checkpoint cannot be written;
  ///     with a [ParameterStore], if the last one cannot, since the failures of others are logged
  public List<Epoch> fit(DataLoader<?, B> training, Iterable<B> validation, int epochs) {
    return run(training, validation, epochs);
  }

  private List<Epoch> run(DataLoader<?, B> training, @Nullable Iterable<B> validation, int epochs) {
    schedules.requireFit(measure);
    strategy.requireComplete();
    ShardedData<B> data = new ShardedData<>(training, strategy.shards());
    int size = data.size(advance.epochs());
    Agreement.require(strategy.gather(plan(size, epochs)));
    Agreement.requireWriter(strategy.gather(checkpoints != null));
    Agreement.requireNone(strategy.gather(olderRun()));
    strategy.model().ifPresent(model -> progress.describe("model", Summary.of(model).toString()));
    if (settings != null) {
      progress.describe("settings", settings.toString());
    }
    if (device != null) {
      progress.describe("device", device.toString());
    }
    catchUp(data, epochs);
    progress.start(stepsLeft(size, epochs));
    savedAt = clock.nanoTime();
    try (var compiled = compiledStep()) {
      learning = compiled == null ? step : compiled;
      return train(data, validation, epochs);
    } finally {
      learning = step;
      strategy.written().otherwiseEmpty().await(); // also if the training has failed
    }
  }

  private @Nullable CompiledTrainingStep<B> compiledStep() {
    return device == null
        ? null
        : new CompiledTrainingStep<>(step, strategy.model().orElseThrow(), device);
  }

  private List<Epoch> train(ShardedData<B> data, @Nullable Iterable<B> validation, int epochs) {
    List<Epoch> history = new ArrayList<>();
    while (advance.epochs() < epochs && advance.epochsSinceBest() < patience) {
      long number = advance.epochs() + 1;
      listeners.forEach(listener -> listener.onEpochStart(number));
      progress.scalar("epoch", (double) number);
      Epoch epoch = epoch(data, validation);
      history.add(epoch);
      LOGGER.log(Level.INFO, epoch.toString());
      end(epoch);
      catchUp(data, epochs);
    }
    strategy.written().await();
    return history;
  }

  /// Counts the steps, and the whole epochs, that the model has taken without this trainer.
  private void catchUp(ShardedData<B> data, int epochs) {
    long taken = strategy.steps().orElse(0);
    while (advance.steps() < taken && advance.epochs() < epochs) {
      int size = data.size(advance.epochs());
      skipSteps(taken, size);
      if (advance.batches() == size) {
        schedules.skipEpoch();
        advance.skipEpoch();
      }
    }
  }

  /// Counts the steps of this epoch that the model has taken without this trainer.
  private void skipSteps(long taken, int size) {
    while (advance.steps() < taken && advance.batches() < size) {
      schedules.endStep();
      long _ = advance.countStep(next(size), TotalLoss.none(step.reduction()));
    }
  }

  /// Returns the number of batches in the next step.
  private int next(int size) {
    return Math.min(accumulation, size - advance.batches());
  }

  /// Checks that a new run does not overwrite the checkpoints of an earlier one.
  ///
  /// @return the problem, or an empty string
  private String olderRun() {
    if (checkpoints == null || !strategy.isFirst() || advance.steps() > 0 || strategy.hasBegun()) {
      return "";
    }
    return checkpoints
        .newest()
        .map(
            path ->
                "fit: %s is from an earlier run, which this run would overwrite; call resume to"
                        .formatted(path)
                    + " continue it, or pass another folder to withCheckpoints")
        .orElse("");
  }

  /// Returns the number of steps until the end of the last epoch.
  private long stepsLeft(int size, int epochs) {
    long perEpoch = Math.ceilDiv(size, accumulation);
    long done = Math.ceilDiv(advance.batches(), accumulation);
    return Math.max(0, (epochs - advance.epochs()) * perEpoch - done);
  }

  private DataLoader.Position position() {
    return new DataLoader.Position(advance.epochs(), advance.batches());
  }

  /// Returns the settings that must be equal on all copies.
  private Map<String, String> plan(int size, int epochs) {
    Map<String, String> plan = new LinkedHashMap<>();
    plan.put(Agreement.CALL, "fit");
    plan.put("epochs done", Long.toString(advance.epochs()));
    plan.put("steps done", Long.toString(advance.steps()));
    plan.put("batches done", Integer.toString(advance.batches()));
    plan.put("epochs", Integer.toString(epochs));
    plan.put("batches in an epoch", Integer.toString(size));
    plan.put("accumulation", Integer.toString(accumulation));
    plan.put("patience", Long.toString(patience));
    plan.put("optimizer", strategy.groups().stream().map(ParameterGroup::spec).toList().toString());
    return plan;
  }

  private Epoch epoch(ShardedData<B> data, @Nullable Iterable<B> validation) {
    int size = data.size(advance.epochs());
    EpochMeter meter = new EpochMeter(advance, size, clock);
    double rate = schedules.learningRate();
    while (advance.batches() < size) {
      meter.add(step(data, next(size)));
      skipSteps(strategy.steps().orElse(0), size);
      say(meter);
    }
    double speed = meter.samplesPerSecond();
    if (strategy.shards() == 1) { // else other trainers may have computed all that is left
      requireMeasured("fit", advance.batches(), advance.loss());
    }
    Scores scores = validation == null ? null : evaluate(validation);
    double value = advance.loss().value();
    return new Epoch(advance.epochs() + 1, advance.steps(), value, scores, rate, speed);
  }

  private void say(EpochMeter meter) {
    if (meter.isTimeToSay()) {
      LOGGER.log(Level.INFO, () -> "epoch " + (advance.epochs() + 1) + "  " + meter);
    }
  }

  /// Takes a step with the next batches of each shard, and returns the number of examples that this
  /// trainer has computed.
  private long step(ShardedData<B> data, int count) {
    DataLoader.Position from = position();
    List<B> taken = new ArrayList<>();
    IntFunction<List<B>> batches =
        shard -> {
          List<B> next = data.take(shard, from, count);
          taken.addAll(next);
          return next;
        };
    TotalLoss total = strategy.stepOver(batches, learning, clipping);
    schedules.endStep();
    long number = advance.countStep(count, total);
    listeners.forEach(listener -> listener.onStep(number, total.value()));
    int samples = taken.stream().mapToInt(step::size).sum();
    if (!taken.isEmpty()) {
      progress.step(samples, (float) total.value());
    }
    if (isDue || isTimeToSave(number)) {
      save(Checkpoints::writeUnfinished);
    }
    return samples;
  }

  private boolean isTimeToSave(long number) {
    return number % checkpointSteps == 0 || clock.nanoTime() - savedAt >= checkpointNanos;
  }

  /// Saves a checkpoint if this trainer writes them.
  private void save(BiConsumer<Checkpoints, Contents> action) {
    Checkpoints present = checkpoints;
    if (present == null) {
      return;
    }
    savedAt = clock.nanoTime();
    boolean isFirst = strategy.isFirst();
    boolean isReady = isFirst && strategy.fetch(advance.steps());
    isDue = isFirst && !isReady;
    isWriter &= isFirst;
    if (isReady) {
      if (!isWriter) {
        present.takeOver();
        isWriter = true;
      }
      Contents contents = parts().contents();
      strategy.write(() -> action.accept(present, contents));
    }
  }

  private void end(Epoch epoch) {
    double value = strategy.gather(measure.of(epoch)).values().iterator().next();
    boolean isBest = advance.countEpoch(value, measure);
    schedules.endEpoch(value);
    listeners.forEach(listener -> listener.onEpoch(epoch));
    epoch.scalars().forEach(progress::scalar);
    save((present, contents) -> present.write(contents, epoch.number(), isBest));
  }

  /// Evaluates the model. Its layers are in evaluation mode only for this computation. The size of
  /// the batches does not affect the result.
  ///
  /// @throws IllegalArgumentException if there are no batches, or no target contributes to the loss
  public Scores evaluate(Iterable<B> batches) {
    metrics.forEach(Metric::reset);
    TotalLoss total = TotalLoss.none(step.reduction());
    long count = 0;
    for (B batch : batches) {
      count++;
      Tensor loss = Evaluation.call(() -> step.validationLoss(batch));
      total = total.plus(loss.itemDouble(), step.weight(batch));
    }
    requireMeasured("evaluate", count, total);
    Map<String, Double> measured = new LinkedHashMap<>();
    metrics.forEach(metric -> measured.put(metric.name(), metric.compute()));
    return new Scores(total.value(), measured);
  }

  private static void requireMeasured(String method, long batches, TotalLoss total) {
    if (batches == 0) {
      throw new IllegalArgumentException(method + ": no batches; expected at least one");
    }
    if (total.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: no target in %d batches counts towards the loss; check its ignoreIndex and weight"
              .formatted(method, batches));
    }
  }
}
