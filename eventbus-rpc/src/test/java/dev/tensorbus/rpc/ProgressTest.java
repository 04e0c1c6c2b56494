// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void allListenersHearAllOfIt() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    Progress progress = Progress.all(List.of(new Recorder(first), new Recorder(second)));

    progress.start(3);
    progress.step(32, 0.5f);
    progress.scalar("accuracy", 0.75);
    progress.say("done");

    assertThat(first).containsExactly("start 3", "step 32 0.5", "accuracy 0.75", "done");
    assertThat(second).isEqualTo(first);
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
