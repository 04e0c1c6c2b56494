// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.optim.server.slot.MapChange.Filled;
import dev.tensorbus.optim.server.slot.MapChange.Joined;
import dev.tensorbus.optim.server.slot.MapChange.Leaving;
import dev.tensorbus.optim.server.slot.MapChange.Left;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotMapTest {
  private static final Life A = new Life("a", 1);
  private static final Life B = new Life("b", 1);
  private static final Life C = new Life("c", 1);
  private static final Life D = new Life("d", 1);

  private static SlotMap map(int backups, Life... servers) {
    SlotMap map = SlotMap.empty(new SlotMap.Settings(servers.length, backups));
    for (Life server : servers) {
      map = map.after(new Joined(server));
    }
    return map;
  }

  private static List<Integer> all() {
    return IntStream.range(0, SlotMap.SLOTS).boxed().toList();
  }

  @Test
  void slotsAreAssignedWhenTheExpectedServersHaveJoined() {
    SlotMap map = SlotMap.empty(new SlotMap.Settings(2, 1)).after(new Joined(A));
    assertThat(map.isAssigned()).isFalse();
    assertThat(map.primary(0)).isNull();
    SlotMap complete = map.after(new Joined(B));
    assertThat(complete.isAssigned()).isTrue();
    assertThat(complete.replicas()).allSatisfy(servers -> assertThat(servers).hasSize(2));
  }

  @Test
  void theOrderInWhichServersJoinDoesNotMatter() {
    assertThat(map(1, A, B, C).replicas()).isEqualTo(map(1, C, A, B).replicas());
  }

  @Test
  void serversHaveAboutEquallyManySlots() {
    SlotMap map = map(1, A, B, C, D);
    assertThat(List.of(A, B, C, D))
        .allSatisfy(server -> assertThat(map.slotsOf(server)).hasSizeBetween(40, 90));
  }

  @Test
  void theFirstBackupOfADeadServerTakesOverAndOtherSlotsStay() {
    SlotMap before = map(1, A, B, C);
    SlotMap after = before.after(new Left(A));
    for (int slot : all()) {
      List<Life> replicas = before.replicas().get(slot);
      boolean isLedByA = A.equals(before.primary(slot));
      assertThat(after.primary(slot)).isEqualTo(isLedByA ? replicas.get(1) : replicas.get(0));
      assertThat(after.terms().get(slot))
          .isEqualTo(isLedByA ? after.epoch() : before.terms().get(slot));
    }
  }

  @Test
  void aNewServerIsAReplicaOnlyOfSlotsThatItHasReceived() {
    SlotMap joined = map(1, A, B, C).after(new Joined(D));
    assertThat(joined.replicas()).noneMatch(servers -> servers.contains(D));
    int slot =
        all().stream().filter(some -> joined.wanted().get(some).contains(D)).findFirst().orElse(0);
    Life primary = joined.primary(slot);
    SlotMap filled = joined.after(new Filled(D, List.of(slot), primary, joined.serversSince()));
    assertThat(filled.replicas().get(slot)).isEqualTo(joined.wanted().get(slot));
    assertThat(filled.replicas()).filteredOn(servers -> servers.contains(D)).hasSize(1);
  }

  @Test
  void aCopyDoesNotCountIfTheServersHaveChangedMeanwhile() {
    SlotMap joined = map(1, A, B, C).after(new Joined(D));
    SlotMap changed = joined.after(new Left(B));
    Filled late = new Filled(D, all(), A, joined.serversSince());
    assertThat(changed.after(late)).isSameAs(changed);
  }

  @Test
  void aCopyOfAFormerPrimaryDoesNotCount() {
    SlotMap joined = map(1, A, B, C).after(new Joined(D));
    SlotMap filled = joined.after(new Filled(D, all(), D, joined.serversSince()));
    assertThat(filled).isSameAs(joined);
  }

  @Test
  void slotsWithoutServersStayLostWhoeverJoins() {
    SlotMap lost = map(0, A).after(new Left(A)).after(new Joined(B));
    assertThat(lost.isAssigned()).isTrue();
    assertThat(lost.replicas()).allMatch(List::isEmpty);
  }

  @Test
  void aServerThatIsStartedAgainReplacesItsFormerLife() {
    Life again = new Life("b", 2);
    SlotMap map = map(1, A, B, C).after(new Joined(again));
    assertThat(map.servers()).containsExactly(A, again, C);
    assertThat(map.replicas()).noneMatch(servers -> servers.contains(B));
  }

  @Test
  void thereAreMoreServersThanBackups() {
    assertThatThrownBy(() -> new SlotMap.Settings(2, 2))
        .hasMessage("2 backups with 2 servers; expected 0 to 1 backups");
  }

  @Test
  void aServerThatWillLeaveKeepsItsSlotsUntilOthersHaveThem() {
    SlotMap before = map(0, A, B, C);
    SlotMap leaving = before.after(new Leaving(A));
    assertThat(leaving.replicas()).isEqualTo(before.replicas());
    assertThat(leaving.wanted()).noneMatch(servers -> servers.contains(A));
    SlotMap moved = leaving;
    for (Life other : List.of(B, C)) {
      List<Integer> slots =
          before.slotsOf(A).stream()
              .filter(slot -> leaving.wanted().get(slot).contains(other))
              .toList();
      moved = moved.after(new Filled(other, slots, A, leaving.serversSince()));
    }
    assertThat(moved.slotsOf(A)).isEmpty();
    assertThat(moved.replicas()).isEqualTo(moved.wanted());
  }

  @Test
  void slotsThatAllOtherServersHaveLeaveAServerAtOnce() {
    SlotMap map = map(1, A, B).after(new Leaving(A));
    assertThat(map.replicas()).containsOnly(List.of(B));
  }

  @Test
  void theLastServerCannotLeave() {
    SlotMap map = map(1, A, B).after(new Leaving(A));
    assertThat(map.after(new Leaving(B))).isSameAs(map);
  }
}
