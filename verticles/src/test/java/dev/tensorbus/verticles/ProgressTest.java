// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.Progress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountedProgressTest {
  @Test
  void allThatAWorkerReportsIsShown() {
    List<String> shown = new ArrayList<>();
    CountedProgress progress = new CountedProgress(new Recorder(shown));

    progress.start(3);
    progress.step(32, 0.5f);
    progress.scalar("accuracy", 0.75);
    progress.say("done");

    assertThat(shown).containsExactly("start 3", "step 32 0.5", "accuracy 0.75", "done");
  }

  private record Recorder(List<String> lines) implements Progress {
    @Override
    public void start(long steps) {
      lines.add("start " + steps);
    }

    @Override
    public void step(int samples, float loss) {
      lines.add("step " + samples + " " + loss);
    }

    @Override
    public void scalar(String tag, double value) {
      lines.add(tag + " " + value);
    }

    @Override
    public void say(String line) {
      lines.add(line);
    }
  }
}
