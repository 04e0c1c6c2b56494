// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.optim.server.ServerStatus;
import dev.tensorbus.optim.server.ServerStatus.Group;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The metrics of a worker's parameter server. Without one, there are none.
final class ServerMeters {
  private static final int MOST_TRAINERS = 64;

  private final MultiGauge epoch;
  private final MultiGauge slots;
  private final MultiGauge versions;
  private final MultiGauge staleness;

  ServerMeters(MeterRegistry registry) {
    epoch =
        MultiGauge.builder("tensorbus.server.epoch")
            .description("Changes of the servers so far")
            .register(registry);
    slots =
        MultiGauge.builder("tensorbus.server.slots")
            .description("Slots of the server, and slots that no server has")
            .register(registry);
    versions =
        MultiGauge.builder("tensorbus.server.version")
            .description("Version of the group's values")
            .register(registry);
    staleness =
        MultiGauge.builder("tensorbus.server.staleness")
            .description("Pushes that the trainer is behind the fastest one")
            .register(registry);
  }

  /// Sets the values.
  void update(Optional<ServerStatus> status) {
    List<Row<?>> epochs = new ArrayList<>();
    List<Row<?>> counts = new ArrayList<>();
    List<Row<?>> numbers = new ArrayList<>();
    List<Row<?>> behind = new ArrayList<>();
    status.ifPresent(
        server -> {
          epochs.add(Row.of(Tags.empty(), server.epoch()));
          counts.add(Row.of(Tags.of("kind", "primary"), server.primarySlots()));
          counts.add(Row.of(Tags.of("kind", "backup"), server.backupSlots()));
          counts.add(Row.of(Tags.of("kind", "lost"), server.lostSlots()));
          for (Group group : server.groups()) {
            Tags tags = Tags.of("group", group.name());
            numbers.add(Row.of(tags, group.version()));
            group.staleness().entrySet().stream()
                .limit(MOST_TRAINERS)
                .forEach(
                    one -> behind.add(Row.of(tags.and("trainer", one.getKey()), one.getValue())));
          }
        });
    epoch.register(epochs, true);
    slots.register(counts, true);
    versions.register(numbers, true);
    staleness.register(behind, true);
  }
}
