// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.file.AtomicFile;
import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.optim.schedule.Resumable;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.progress.Sparkline;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;

/// The rewards of all episodes and their running mean. Draws them as an image and as a line of
/// text.
final class RewardCurve implements Resumable {
  private static final float REMEMBERED = 0.95f;
  private static final int WIDTH = 800;
  private static final int HEIGHT = 400;
  private static final int MARGIN = 40;
  private static final int SPARKS = 60;
  private static final int GRID = 100;

  private final List<Float> rewards = new ArrayList<>();
  private final List<Float> means = new ArrayList<>();
  private float runningReward;

  /// The number of episodes of the resumed run, which are not drawn.
  private int before;

  /// Adds the reward of the next episode.
  ///
  /// @param progress receives the reward and the running mean
  void add(float reward, Progress progress) {
    rewards.add(reward);
    runningReward = REMEMBERED * runningReward + (1 - REMEMBERED) * reward;
    means.add(runningReward);
    progress.scalar("reward", reward);
    progress.scalar("running_reward", runningReward);
  }

  /// Returns the exponential moving average of the rewards.
  float runningReward() {
    return runningReward;
  }

  /// Returns the number of episodes, including those of the resumed run.
  int episodes() {
    return before + rewards.size();
  }

  @Override
  public Map<String, Double> state() {
    return Map.of("episodes", (double) episodes(), "runningReward", (double) runningReward);
  }

  @Override
  public void load(Map<String, Double> state) {
    before = Objects.requireNonNull(state.get("episodes")).intValue();
    runningReward = Objects.requireNonNull(state.get("runningReward")).floatValue();
  }

  /// Draws the running mean as one line of text.
  String sparkline() {
    double[] values = means.stream().mapToDouble(Float::doubleValue).toArray();
    return Sparkline.of(values, CartPole.MAX_STEPS, SPARKS);
  }

  /// Writes a PNG with a dot per episode, a line for the running mean and a dashed line for the
  /// threshold.
  ///
  /// @throws UsageException if the file cannot be written
  void draw(Path file) {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = image.createGraphics();
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    canvas.setColor(Color.WHITE);
    canvas.fillRect(0, 0, WIDTH, HEIGHT);
    drawGrid(canvas);
    drawRewards(canvas);
    drawMeans(canvas);
    canvas.dispose();
    try {
      AtomicFile.write(
          file, channel -> ImageIO.write(image, "png", Channels.newOutputStream(channel)));
    } catch (IOException e) {
      throw new UsageException(
          "--curve " + file + " cannot be written: " + e.getMessage() + "; choose another file");
    }
  }

  private void drawGrid(Graphics2D canvas) {
    for (int reward = 0; reward <= CartPole.MAX_STEPS; reward += GRID) {
      canvas.setColor(Color.LIGHT_GRAY);
      canvas.draw(new Line2D.Double(MARGIN, y(reward), WIDTH - MARGIN, y(reward)));
      canvas.setColor(Color.DARK_GRAY);
      SegmentDigits.draw(canvas, Integer.toString(reward), MARGIN - 6, y(reward));
    }
    canvas.setColor(Color.DARK_GRAY);
    SegmentDigits.draw(canvas, Integer.toString(rewards.size()), WIDTH - MARGIN, HEIGHT - 14);
    canvas.setColor(Color.GRAY);
    canvas.setStroke(
        new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {6}, 0));
    double threshold = y(CartPole.REWARD_THRESHOLD);
    canvas.draw(new Line2D.Double(MARGIN, threshold, WIDTH - MARGIN, threshold));
  }

  private void drawRewards(Graphics2D canvas) {
    canvas.setColor(new Color(0x9e, 0xc5, 0xe8));
    for (int i = 0; i < rewards.size(); i++) {
      canvas.fill(new Ellipse2D.Double(x(i) - 1.5, y(rewards.get(i)) - 1.5, 3, 3));
    }
  }

  private void drawMeans(Graphics2D canvas) {
    Path2D line = new Path2D.Double();
    line.moveTo(x(0), y(0));
    for (int i = 0; i < means.size(); i++) {
      line.lineTo(x(i), y(means.get(i)));
    }
    canvas.setColor(new Color(0x1f, 0x4e, 0x9e));
    canvas.setStroke(new BasicStroke(2));
    canvas.draw(line);
  }

  private double x(int episode) {
    return MARGIN + (WIDTH - 2.0 * MARGIN) * (episode + 1) / Math.max(1, rewards.size());
  }

  private static double y(double reward) {
    return HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * reward / CartPole.MAX_STEPS;
  }
}
