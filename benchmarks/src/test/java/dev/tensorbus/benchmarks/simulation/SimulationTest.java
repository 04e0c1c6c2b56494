// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.optim.server.consistency.Consistency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationTest {
  private static final double DURATION = 1000;
  private static final long SEED = 20_261_128;

  private static Simulation.Result run(String consistency, int trainers, StepTimes times) {
    System.out.printf("SimulationTest: seed %d%n", SEED);
    return new Simulation(Consistency.parse(consistency), trainers, times, 1, DURATION, SEED).run();
  }

  /// Expected values: a recurrence of the trainers' clocks, written apart from this code.
  @ParameterizedTest
  @CsvSource({
    "bsp, 16, LOGNORMAL, 55",
    "ssp:0, 16, LOGNORMAL, 55",
    "ssp:1, 16, LOGNORMAL, 31",
    "ssp:4, 16, LOGNORMAL, 11",
    "ssp:8, 16, LOGNORMAL, 6",
    "ssp:16, 16, LOGNORMAL, 3",
    "bsp, 64, LOGNORMAL, 66",
    "ssp:1, 64, LOGNORMAL, 41",
    "ssp:8, 64, LOGNORMAL, 8",
    "bsp, 64, PAUSES, 85",
    "async, 64, PAUSES, 0",
  })
  void trainersAreIdleForTheExpectedShareOfTheirTime(
      String consistency, int trainers, StepTimes times, double percent) {
    assertThat(100 * run(consistency, trainers, times).idle()).isCloseTo(percent, within(5.0));
  }

  @Test
  void staleness8NearlyDoublesTheThroughputOfTrainersWithJitter() {
    double bsp = run("bsp", 16, StepTimes.LOGNORMAL).throughput();
    assertThat(run("ssp:8", 16, StepTimes.LOGNORMAL).throughput()).isGreaterThan(1.9 * bsp);
  }

  /// Over a long time, every trainer makes as many pushes as the slowest one.
  @ParameterizedTest
  @CsvSource({"bsp", "ssp:1", "ssp:8"})
  void noStalenessHelpsAgainstATrainerThatIsAlwaysSlow(String consistency) {
    double throughput = run(consistency, 8, StepTimes.STRAGGLER).throughput();
    assertThat(throughput).isCloseTo(0.25, within(0.02));
  }

  @Test
  void oneBackupWorkerSkipsATrainerThatIsAlwaysSlow() {
    Simulation.Result result = run("bsp:1", 8, StepTimes.STRAGGLER);
    assertThat(result.throughput()).isCloseTo(7.0 / 8, within(0.02));
  }

  @Test
  void aQuorumKeepsTheCapacityOfTheTrainersThatAreNotSlow() {
    double capacity = (7 + 0.25) / 8;
    Simulation.Result result = run("quorum:7:10ms", 8, StepTimes.STRAGGLER);
    assertThat(result.throughput()).isGreaterThan(0.95 * capacity);
  }

  /// A paused trainer is lost to several steps, so a third of the trainers are paused at a time.
  @Test
  void backupWorkersSkipSomeOfManyRarePauses() {
    double bsp = run("bsp", 64, StepTimes.PAUSES).throughput();
    assertThat(run("bsp:8", 64, StepTimes.PAUSES).throughput()).isGreaterThan(2 * bsp);
  }

  @Test
  void backupWorkersSkipAllPausesIfTrainersGiveUpLateSteps() {
    double bsp = run("bsp", 64, StepTimes.PAUSES).throughput();
    Simulation givingUp =
        new Simulation(Consistency.parse("bsp:8"), 64, StepTimes.PAUSES, 1, DURATION, SEED, true);
    Simulation.Result result = givingUp.run();
    assertThat(result.throughput()).isGreaterThan(8 * bsp).isLessThanOrEqualTo(56.0 / 64);
    assertThat(100 * result.idle()).as("all wait if more are paused").isCloseTo(0, within(5.0));
  }

  @Test
  void theSameSeedGivesTheSameResult() {
    assertThat(run("ssp:4", 64, StepTimes.LOGNORMAL))
        .isEqualTo(run("ssp:4", 64, StepTimes.LOGNORMAL));
  }
}
