// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who joins a group, who leaves it, and who is expected.
class MembersTest {
  @Test
  void anOpenGroupConsistsOfWhoeverJoins() {
    Members<Integer> members = Members.open("observer");
    members.join(2);
    members.join(1);
    assertThat(members.present()).containsExactly(1, 2);
    assertThat(members.isComplete()).isTrue();
    assertThat(members.leave(2)).isTrue();
    assertThat(members.leave(2)).isFalse();
    assertThat(members.remaining()).isEqualTo(1);
  }

  @Test
  void anOpenGroupMayWaitForItsFirstMembers() {
    Members<String> members = Members.open("trainer", 2);
    members.join("a");
    members.leave("a");
    members.join("a2"); // in place of the first
    assertThat(members.isComplete()).isFalse();
    assertThat(members.remaining()).isEqualTo(2);
    members.join("b");
    members.join("c");
    assertThat(members.isComplete()).isTrue();
    assertThat(members.remaining()).isEqualTo(3);
    members.leave("a2");
    members.leave("b");
    assertThat(members.isComplete()).isTrue();
    assertThat(members.remaining()).isEqualTo(1);
  }

  @Test
  void aClosedGroupExpectsSoManyAndRefusesMore() {
    Members<String> members = Members.expecting("trainer", 2);
    members.join("b");
    assertThat(members.isComplete()).isFalse();
    assertThat(members.remaining()).isEqualTo(2);
    members.join("a");
    assertThat(members.isComplete()).isTrue();
    assertThatThrownBy(() -> members.join("c"))
        .isInstanceOf(MemberRefusedException.class)
        .hasMessage("all 2 expected trainers have joined: a, b; \"c\" is one too many");
  }

  @Test
  void aMemberThatIsPresentDoesNotJoinTwice() {
    Members<String> members = Members.expecting("trainer", 2);
    members.join("a");
    assertThatThrownBy(() -> members.join("a"))
        .hasMessage("trainer \"a\" has already joined; choose another name");
  }

  @Test
  void aMemberThatHasLeftMayJoinAgain() {
    Members<String> members = Members.expecting("trainer", 1);
    members.join("a");
    members.leave("a");
    assertThat(members.remaining()).isZero();
    members.join("a");
    assertThat(members.remaining()).isEqualTo(1);
  }

  @Test
  void aMemberMayLeaveBeforeItJoins() {
    Members<String> members = Members.expecting("trainer", 2);
    members.join("a");
    members.leave("a");
    assertThat(members.remaining()).isEqualTo(1);
    members.leave("b"); // never joined
    assertThat(members.remaining()).isZero();
  }

  @Test
  void listenersAreNotifiedOfDepartures() {
    Members<Integer> members = Members.open("observer");
    List<Integer> departed = new ArrayList<>();
    members.onDeparture(departed::add);
    members.join(1);
    members.leave(1);
    assertThat(departed).containsExactly(1);
  }

  @Test
  void aStrangerThatLeavesTakesNobodysPlace() {
    Members<String> members = Members.expecting("trainer", 1);
    members.join("a");
    assertThat(members.leave("stranger")).isFalse();
    assertThat(members.remaining()).isEqualTo(1);
    members.leave("a");
    assertThat(members.remaining()).isZero();
  }

  @Test
  void membersThatAreKnownBeforehandArePresent() {
    Members<Integer> members = Members.of("trainer", List.of(2, 1));
    assertThat(members.present()).containsExactly(1, 2);
    assertThat(members.isComplete()).isTrue();
    assertThat(members.areAllIn(List.of(1))).isFalse();
    members.leave(2);
    assertThat(members.areAllIn(List.of(1))).isTrue();
  }

  @Test
  void theLossOfAllMembersIsDescribed() {
    Members<String> members = Members.of("trainer", List.of("a", "b"));
    members.lose("stranger");
    members.lose("b");
    assertThat(members.lossOfAll(name -> name)).isEmpty();
    members.lose("a");
    assertThat(members.lossOfAll(name -> name)).contains("no trainer is left: a, b were lost");
    members.join("a");
    assertThat(members.lossOfAll(name -> name)).isEmpty();
    members.leave("a");
    assertThat(members.lossOfAll(name -> name)).isEmpty();
  }
}
