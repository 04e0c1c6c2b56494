// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Adagrad;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.TorchResource;
import dev.tensorbus.optim.schedule.OneCycleLr.Momentum;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Schedules against `torch/schedules.py`, whose cases have these names.
class ScheduleTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final Map<String, Tensor> REFERENCE = TorchResource.read("schedules");

  private static final RateSchedule FALLING =
      (epoch, initial, _) -> initial * (1 / (1 + (double) epoch));

  private final ParameterGroup<Tensor> group = group(new Sgd(0.05).withMomentum(0.9));

  static Stream<Arguments> schedules() {
    return Stream.of(
        of("step", new StepLr(7, 0.3)),
        of("multi_step", new MultiStepLr(List.of(5L, 11L, 11L, 30L), 0.3)),
        of("exponential", new ExponentialLr(0.9)),
        of("linear", LinearLr.warmUp(0.1, 20)),
        of("linear_to_zero", new LinearLr(1, 0, 20)),
        of("cosine", new CosineAnnealingLr(15, 0.001)),
        of("warm_restarts", new CosineAnnealingWarmRestarts(5, 2, 0.001)),
        of("one_cycle", new OneCycleLr(0.1, 50)),
        of(
            "one_cycle_linear",
            new OneCycleLr(0.1, 50)
                .withRising(0.5)
                .withShape(OneCycleLr.Shape.LINEAR)
                .withMomentum(new Momentum(0.7, 0.8))
                .withDivisors(10, 100)),
        of(
            "one_cycle_three",
            new OneCycleLr(0.1, 50).withMomentum(Momentum.UNCHANGED).withThreePhases(true)),
        of("cyclic", new CyclicLr(0.01, 0.1, 6)),
        of(
            "cyclic_halves",
            new CyclicLr(0.01, 0.1, 3)
                .withStepsDown(8)
                .withScale(CyclicLr.Scale.TRIANGULAR2)
                .withMomentum(new Momentum(0.7, 0.95))),
        of(
            "cyclic_falling",
            new CyclicLr(0.01, 0.1, 5)
                .withScale(CyclicLr.Scale.expRange(0.97))
                .withMomentum(Momentum.UNCHANGED)),
        of(
            "sequential",
            LinearLr.warmUp(0.1, 8)
                .then(8, new ExponentialLr(0.9))
                .then(25, new CosineAnnealingLr(15, 0.001))),
        of("warm_up_and_step", LinearLr.warmUp(0.1, 10), new StepLr(15, 0.5)),
        of("warm_up_and_cosine", LinearLr.warmUp(0.1, 10), new CosineAnnealingLr(15, 0.001)),
        of(
            "warm_up_and_restarts",
            LinearLr.warmUp(0.1, 10),
            new CosineAnnealingWarmRestarts(5, 2, 0.001)),
        of("warm_up_and_lambda", LinearLr.warmUp(0.1, 10), FALLING));
  }

  private static Arguments of(String name, Schedule... schedules) {
    return Arguments.of(name, List.of(schedules));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("schedules")
  void ratesAndMomentaAreTheBitsOfTorch(String name, List<Schedule> schedules) {
    Tensor expected = get(name);
    List<Scheduler> schedulers =
        schedules.stream().map(schedule -> schedule.over(List.of(group))).toList();
    for (int epoch = 0; epoch < expected.shape().size(0); epoch++) {
      requireRow(expected, epoch);
      schedulers.forEach(Scheduler::step);
    }
  }

  static Stream<Arguments> plateaus() {
    return Stream.of(
        Arguments.of("plateau", new ReduceLrOnPlateau(0.5, 2)),
        Arguments.of(
            "plateau_all",
            new ReduceLrOnPlateau(0.3, 1)
                .withMaximize(true)
                .withThreshold(0.2, true)
                .withCooldown(3)
                .withMinimum(0.002)));
  }

  /// torch compares with a best of -1 as if -0.9999 were better, and never reduces the rate.
  @Test
  void aPlateauOfNegativeMeasuresReducesTheRate() {
    for (boolean maximize : new boolean[] {false, true}) {
      double better = maximize ? 1 : -1;
      ParameterGroup<?> group = group(new Sgd(0.05));
      PlateauScheduler scheduler =
          new ReduceLrOnPlateau(0.5, 2).withMaximize(maximize).over(List.of(group));
      double before = group.learningRate();
      for (int epoch = 0; epoch < 3; epoch++) {
        scheduler.step(-1);
        scheduler.step(-1 + better * 0.5e-4); // within the margin
      }
      assertThat(group.learningRate()).isEqualTo(before / 2);
      scheduler.step(-1 + better * 2e-4); // better by more than the margin
      scheduler.step(-1);
      scheduler.step(-1);
      assertThat(group.learningRate()).isEqualTo(before / 2);
    }
  }

  @Test
  void theFirstMeasureIsTheBestWhateverTheThreshold() {
    for (double first : new double[] {-3, 0, 3}) {
      for (boolean maximize : new boolean[] {false, true}) {
        PlateauScheduler scheduler =
            new ReduceLrOnPlateau(0.5, 0)
                .withThreshold(2, false)
                .withMaximize(maximize)
                .over(List.of(group(new Sgd(0.05))));
        scheduler.step(first);
        assertThat(scheduler.state()).containsEntry("best", first);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("plateaus")
  void ratesOnPlateausAreTheBitsOfTorch(String name, ReduceLrOnPlateau settings) {
    double[] measures = get("measures").doubles();
    PlateauScheduler scheduler = settings.over(List.of(group));
    for (int epoch = 0; epoch < measures.length; epoch++) {
      scheduler.step(measures[epoch]);
      requireRow(get(name), epoch);
      PlateauScheduler resumed = settings.over(List.of(group));
      resumed.load(scheduler.state());
      scheduler = resumed;
    }
  }

  private void requireRow(Tensor expected, int epoch) {
    Sgd settings = (Sgd) group.spec();
    assertThat(new double[] {settings.learningRate(), settings.momentum()})
        .as("epoch %s", epoch)
        .isEqualTo(expected.select(0, epoch).doubles());
  }

  @Test
  void aLinearScheduleToZeroEndsAtZeroAndIsNeverBelow() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 500; i++) {
      int epochs = random.nextInt(1, 200);
      double start = i % 3 == 0 ? 1 : 1 - random.nextDouble();
      ParameterGroup<Tensor> falling = group(new Sgd(Math.pow(10, -4 * random.nextDouble())));
      Scheduler scheduler = new LinearLr(start, 0, epochs).over(List.of(falling));
      for (int epoch = 1; epoch <= epochs + 2; epoch++) {
        scheduler.step();
        assertThat(falling.spec().learningRate() > 0)
            .as("epoch %d of %d from %s, -Dseed=%d", epoch, epochs, start, SEED)
            .isEqualTo(epoch < epochs);
      }
      assertThat(falling.spec().learningRate()).isEqualTo(0.0);
    }
  }

  /// What is resumed, in this order, by a program whose optimizer begins with another rate.
  private enum Order {
    SCHEDULES_ARE_CREATED_FIRST,
    THE_OPTIMIZER_IS_RESTORED_FIRST,
    THE_OPTIMIZER_IS_NOT_RESTORED
  }

  static Stream<Arguments> resumed() {
    return schedules()
        .flatMap(
            schedule ->
                Stream.of(Order.values())
                    .map(order -> Arguments.of(schedule.get()[0], schedule.get()[1], order)));
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("resumed")
  void resumedSchedulesHaveTheRatesAndMomentaOfOnesThatWereNotStopped(
      String name, List<Schedule> schedules, Order order) {
    List<Tensor> parameters = List.of(Tensor.parameter(Shape.of(1), new float[1]));
    for (int stop = 0; stop < 40; stop += 3) {
      Optimizer stopped = new Sgd(0.05).withMomentum(0.9).over(parameters);
      List<Scheduler> schedulers = over(schedules, stopped);
      for (int epoch = 0; epoch < stop; epoch++) {
        schedulers.forEach(Scheduler::step);
      }
      OptimizerState state = stopped.state();
      List<Map<String, Double>> states = schedulers.stream().map(Scheduler::state).toList();
      Optimizer resumed = new Sgd(0.5).withMomentum(0.8).over(parameters);
      List<Scheduler> continued;
      if (order == Order.SCHEDULES_ARE_CREATED_FIRST) {
        continued = over(schedules, resumed);
        resumed.load(state);
      } else {
        if (order == Order.THE_OPTIMIZER_IS_RESTORED_FIRST) {
          resumed.load(state);
        }
        continued = over(schedules, resumed);
      }
      for (int i = 0; i < continued.size(); i++) {
        continued.get(i).load(states.get(i));
      }
      for (int epoch = stop; epoch < 48; epoch++) {
        assertThat(resumed.groups().getFirst().spec())
            .as("stopped in epoch %d, now in %d", stop, epoch)
            .isEqualTo(stopped.groups().getFirst().spec());
        schedulers.forEach(Scheduler::step);
        continued.forEach(Scheduler::step);
      }
    }
  }

  private static List<Scheduler> over(List<Schedule> schedules, Optimizer optimizer) {
    return schedules.stream().map(schedule -> schedule.over(optimizer.groups())).toList();
  }

  @Test
  void aPlateauIsRestoredWithItsRate() {
    ReduceLrOnPlateau plateau = new ReduceLrOnPlateau(0.5, 0);
    PlateauScheduler scheduler = plateau.over(List.of(group));
    scheduler.step(1);
    scheduler.step(1);
    ParameterGroup<Tensor> other = group(new Sgd(0.5).withMomentum(0.8));
    plateau.over(List.of(other)).load(scheduler.state());
    assertThat(other.spec()).isEqualTo(group.spec());
    assertThat(other.initial()).isEqualTo(new Sgd(0.05).withMomentum(0.8));
  }

  @Test
  void theInitialSettingsAreThoseBeforeTheFirstSchedule() {
    assertThat(group.initial()).isNull();
    group.setLearningRate(0.3);
    LinearLr.warmUp(0.1, 5).over(List.of(group));
    FALLING.over(List.of(group));
    assertThat(group.initial()).isEqualTo(new Sgd(0.3).withMomentum(0.9));
    assertThat(group.learningRate()).isEqualTo(0.3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group.setInitial(new Adam(1)))
        .withMessageContaining("adam cannot use the state of sgd");
  }

  @Test
  void eachGroupHasItsRates() {
    ParameterGroup<Tensor> second = group(new Adagrad(1));
    Scheduler scheduler = FALLING.over(List.of(group, second));
    scheduler.step();
    assertThat(scheduler.state())
        .isEqualTo(
            Map.of(
                "epoch",
                1.0,
                "initial0",
                0.05,
                "rate0",
                0.025,
                "momentum0",
                0.9,
                "initial1",
                1.0,
                "rate1",
                0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FALLING.over(List.of(group, second, second)).load(scheduler.state()))
        .withMessageStartingWith("schedule: the state lacks \"initial2\", it has [epoch, ");
  }

  @Test
  void aResumedSchedulerGoesOnFromItsEpoch() {
    Schedule schedule = new CosineAnnealingWarmRestarts(5, 2, 0);
    Scheduler scheduler = schedule.over(List.of(group));
    scheduler.step();
    scheduler.step();
    ParameterGroup<Tensor> other = group(new Sgd(0.05).withMomentum(0.9));
    Scheduler resumed = schedule.over(List.of(other));
    resumed.load(scheduler.state());
    scheduler.step();
    resumed.step();
    assertThat(resumed.epoch()).isEqualTo(3);
    assertThat(other.spec()).isEqualTo(group.spec());
  }

  @Test
  void aLambdaIsASchedule() {
    RateSchedule halves = (epoch, initial, _) -> initial / (1 << epoch);
    Scheduler scheduler = halves.over(List.of(group));
    scheduler.step();
    scheduler.step();
    assertThat(group.learningRate()).isEqualTo(0.05 / 4);
  }

  @Test
  void adamsMomentumIsItsFirstBeta() {
    ParameterGroup<Tensor> adam = group(new Adam(1));
    new OneCycleLr(0.1, 50).over(List.of(adam));
    assertThat(adam.spec()).extracting(spec -> ((Adam) spec).beta1()).isEqualTo(0.95);
  }

  @Test
  void refusesToChangeAMomentumThatIsNotThere() {
    List<ParameterGroup<Tensor>> adagrad = List.of(group(new Adagrad(1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OneCycleLr(0.1, 50).over(adagrad))
        .withMessageStartingWith("one cycle: Adagrad[learningRate=")
        .withMessageEndingWith("has no momentum to change; call withMomentum(Momentum.UNCHANGED)");
  }

  @Test
  void aCycleHasAnEnd() {
    Scheduler scheduler = new OneCycleLr(0.1, 3).over(List.of(group));
    scheduler.step();
    scheduler.step();
    OptimizerSpec last = group.spec();
    scheduler.step();
    assertThat(group.spec()).as("after the last step").isEqualTo(last);
    assertThatIllegalStateException()
        .isThrownBy(scheduler::step)
        .withMessage(
            "one cycle: step 4 is after the last of 3; set totalSteps to the number of steps");
  }

  @Test
  void refusesAStateOfAnother() {
    Scheduler scheduler = new StepLr(1, 1).over(List.of(group));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.load(Map.of("best", 1.0)))
        .withMessage(
            "schedule: the state lacks \"epoch\", it has [best]; load the state of the same kind"
                + " of schedule");
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StepLr(0, 1))
        .withMessage("step lr: step size 0 must be above 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinearLr.warmUp(0, 5))
        .withMessage("linear lr: start factor 0.0 must be in (0, 1]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CyclicLr(0, 1, 0))
        .withMessage("cyclic lr: 0 steps up and 0 down must be above 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StepLr(1, 1).then(0, new StepLr(1, 1)))
        .withMessage("then: epoch 0 must be above 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReduceLrOnPlateau(1, 5))
        .withMessage("plateau: factor 1.0 must be below 1");
  }

  private static ParameterGroup<Tensor> group(OptimizerSpec spec) {
    return new ParameterGroup<>(spec, List.of());
  }

  private static Tensor get(String name) {
    return Objects.requireNonNull(REFERENCE.get(name), name);
  }
}
