// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.function.Consumer;

/// A fault of the parameter servers that the simulation must find. It is a change of one method's
/// instructions, made when the class is loaded: the code itself has no switches for it.
enum PlantedFault {
  /// With a staleness of T, trainers run T + 1 pushes ahead.
  TAU_OFF_BY_ONE(0, "tau", "consistency.Clocks", "release", atStart(code -> code.iinc(2, 1))),

  /// Trainers that have died stay among those for which others wait.
  DEAD_CLOCK_KEPT(0, "dead|wait", "consistency.Clocks", "forget", atStart(CodeBuilder::return_)),

  /// The primary answers before the backups have the entry.
  EARLY_ACKNOWLEDGMENT(
      0,
      "once|error",
      "replica.EntryLog",
      "commit",
      instead("containsAll", code -> code.pop2().iconst_1())),

  /// Replicas have the values of pushes, but do not know which pushes those are.
  IDENTITIES_NOT_REPLICATED(
      0, "once|tau", "replica.Replica", "apply", instead("putAll", CodeBuilder::pop2)),

  /// A server returns to an older map.
  OLD_EPOCH_ACCEPTED(
      0, "primary|once|wait|error", "replica.SlotServer", "lambda$setMap$", never(Opcode.IFLE)),

  /// A server that has lost the majority goes on answering.
  MINORITY_SERVES(
      70, "primary", "view.RaftViews", "isLive", atStart(code -> code.iconst_1().ireturn())),

  /// A leader needs no majority to accept a change, so that servers agree on different maps.
  TWO_VIEWS(
      37,
      "primary",
      "io.microraft.impl.state.RaftState",
      "logReplicationQuorumSize",
      atStart(code -> code.iconst_1().ireturn())),

  /// A pull that waits for a version is not answered when a step reaches it.
  LOST_WAKE_UP(1, "wait", "replica.Primary", "committed", instead("answerPulls", CodeBuilder::pop)),

  /// A lease lasts twice as long as it may.
  LEASE_TOO_LONG(
      148,
      "primary",
      "view.Lease",
      "<init>",
      atStart(code -> code.lload(1).ldc(2L).lmul().lstore(1))),

  /// A trainer continues before the step is committed for which it has waited, so that the step may
  /// get lost.
  RELEASED_BEFORE_COMMIT(
      164,
      "tau",
      "replica.Primary",
      "carryOut",
      instead(
          "afterAll",
          code ->
              code.swap()
                  .pop()
                  .invokeinterface(
                      ClassDesc.of("java.lang.Runnable"), "run", ConstantDescs.MTD_void))),

  /// A copy is accepted though the slot's primary has changed since it was made.
  SLOT_MOVED_TWICE(25, "once|primary|wait", "slot.SlotMap", "after", withoutChecksOfTheSender());

  private static final String PACKAGE = "dev.tensorbus.optim.server.";

  private final long seed;
  private final String rules;
  private final String type;
  private final ClassTransform transform;

  /// @param seed a seed that finds it
  /// @param rules the rules of [Invariants] one of which it breaks, as a pattern
  /// @param type the class, in this project's package of the parameter servers if it has no other
  /// @param method the method, or the beginning of its name
  PlantedFault(long seed, String rules, String type, String method, CodeTransform transform) {
    this.seed = seed;
    this.rules = rules;
    this.type = type.startsWith("io.") ? type : PACKAGE + type;
    this.transform =
        ClassTransform.transformingMethodBodies(
            code -> code.methodName().stringValue().startsWith(method), transform);
  }

  /// Returns a seed that finds it.
  long seed() {
    return seed;
  }

  /// Returns the rules of [Invariants] one of which it breaks, as a pattern.
  String rules() {
    return rules;
  }

  /// Returns the changed class, or the same one if it is another class.
  byte[] plant(String name, byte[] bytes) {
    ClassFile file = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG); // it has moved
    return name.equals(type) ? file.transformClass(file.parse(bytes), transform) : bytes;
  }

  private static CodeTransform atStart(Consumer<CodeBuilder> addition) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        addition.accept(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    };
  }

  /// Replaces the calls of a method.
  private static CodeTransform instead(String called, Consumer<CodeBuilder> replacement) {
    return (code, element) -> {
      if (element instanceof InvokeInstruction call && call.name().equalsString(called)) {
        replacement.accept(code);
      } else {
        code.with(element);
      }
    };
  }

  /// Takes the map's own `serversSince`, and any primary, for those of the change.
  private static CodeTransform withoutChecksOfTheSender() {
    ClassDesc map = ClassDesc.of(PACKAGE + "slot.SlotMap");
    return instead(
            "serversSince",
            code -> code.pop().aload(0).getfield(map, "serversSince", ConstantDescs.CD_long))
        .andThen(
            (code, element) -> {
              if (element instanceof InvokeInstruction call
                  && call.name().equalsString("equals")
                  && !call.isInterface()) {
                code.pop2().iconst_1();
              } else {
                code.with(element);
              }
            });
  }

  /// Never takes the branches of a kind.
  private static CodeTransform never(Opcode branch) {
    return (code, element) -> {
      if (element instanceof BranchInstruction instruction && instruction.opcode() == branch) {
        code.pop();
      } else {
        code.with(element);
      }
    };
  }
}
