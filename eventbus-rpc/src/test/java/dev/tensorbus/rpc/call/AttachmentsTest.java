// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Something new travels with calls, and neither calls nor messages know what.
class AttachmentsTest {
  private static final FunctionName UPDATE = new FunctionName("dev.example.Server", "update");
  private static final Sender CALLER = new Sender(new WorkerInfo("worker0", 0), 1);
  private static final Sender CALLEE = new Sender(new WorkerInfo("worker1", 1), 2);

  /// A priority: a method and what it calls have the priority of the thread that called it.
  private record Priority(int id) implements CallAttachment {
    static final ScopedValue<Integer> HERE = ScopedValue.newInstance();

    static int current() {
      return HERE.orElse(0);
    }

    private static void run(int priority, Runnable body) {
      ScopedValue.where(HERE, priority).run(body);
    }

    @Override
    public @Nullable OnCaller call(FunctionName function, Target target) {
      int priority = current();
      return priority == 0
          ? null
          : new OnCaller() {
            @Override
            public void write(OutgoingValue arguments, Output out) {
              out.putInt(priority);
            }
          };
    }

    @Override
    public @Nullable OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in) {
      if (in == null) {
        return null;
      }
      int priority = in.getInt();
      in.requireEnd();
      return new OnCallee() {
        @Override
        public void run(Runnable body) {
          Priority.run(priority, body);
        }
      };
    }

    @Override
    public Binding here() {
      int priority = current();
      return body -> run(priority, body);
    }
  }

  private static Attachments with(CallAttachment... kinds) {
    Attachments attachments = new Attachments();
    for (CallAttachment kind : kinds) {
      attachments.add(kind);
    }
    return attachments;
  }

  /// What a call of this thread carries to another worker.
  private static Attached sent(Attachments attachments) {
    SentAttachments call = attachments.call(UPDATE, Target.life(CALLEE));
    Attached attached = call.write(new OutgoingValue(CALLEE, 1));
    Output out = new Output(1);
    attached.write(out);
    return Attached.read(new Input(out.toFrame()));
  }

  private static int priorityAt(Attachments callee, Attached attached) {
    AtomicInteger seen = new AtomicInteger(-1);
    callee.arrive(UPDATE, CALLER, attached).run(() -> seen.set(Priority.current()));
    return seen.get();
  }

  @Test
  void aMethodRunsWithWhatItsCallerAttached() {
    Attachments attachments = with(new Priority(9));
    Priority.run(7, () -> assertThat(priorityAt(attachments, sent(attachments))).isEqualTo(7));
  }

  @Test
  void anAttachmentThatSaysNothingTakesNoBytes() {
    Attachments attachments = with(new Priority(9));
    assertThat(sent(attachments)).isSameAs(Attached.NONE);
    assertThat(priorityAt(attachments, Attached.NONE)).isZero();
  }

  @Test
  void whatContinuesOnAnotherThreadIsBoundAsBefore() throws InterruptedException {
    AtomicReference<Binding> here = new AtomicReference<>();
    Priority.run(7, () -> here.set(with(new Priority(9)).here()));
    AtomicInteger seen = new AtomicInteger();
    Thread other =
        Thread.ofVirtual().start(() -> here.get().run(() -> seen.set(Priority.current())));
    other.join();
    assertThat(seen).hasValue(7);
  }

  @Test
  void eachAttachmentGetsItsOwnBytes() {
    Attachments two = with(new Priority(9), new Priority(10));
    Priority.run(7, () -> assertThat(priorityAt(two, sent(two))).isEqualTo(7));
  }

  @Test
  void anAttachmentOfAnUnknownIdIsRefused() {
    Attachments knowing = with(new Priority(9));
    Priority.run(
        7,
        () ->
            assertThatThrownBy(() -> with().arrive(UPDATE, CALLER, sent(knowing)))
                .isInstanceOf(WireException.class)
                .hasMessage(
                    "a message has an attachment of unknown id 9; start all workers from the same"
                        + " build"));
  }

  @Test
  void anAttachmentThatIsLongerThanItShouldBeIsRefused() {
    Output out = new Output(1);
    int start = out.beginPart(9);
    out.putLong(1);
    out.endPart(start);
    assertThatThrownBy(() -> with(new Priority(9)).arrive(UPDATE, CALLER, Attached.of(out)))
        .isInstanceOf(WireException.class)
        .hasMessage("message has 4 bytes after its end at 4");
  }

  @Test
  void twoAttachmentsOfOneIdAreRefused() {
    assertThatThrownBy(() -> with(new Priority(9), new Priority(9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Priority[id=9] and Priority[id=9] both have the attachment id 9");
  }
}
