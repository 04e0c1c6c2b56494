// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.call.CallAttachment;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.transport.bus.BusTransport;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.worker.WorkerAssembly;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// docs/architecture.md names all files that a call passes through, in their order.
class CallPathTest {
  private static final int MOST_FILES = 20;

  private static final Path PAGE = Path.of("../docs/architecture.md");

  /// The paragraph that lists the files.
  private static final Pattern LIST = Pattern.compile("(?s)A call passes through.*?\n\n");

  private static final Pattern FILE = Pattern.compile("`(\\w+)`");

  /// The rooms whose files are not listed: messages, and the guests that bind values by
  /// attachments.
  private static final Pattern OTHER_ROOMS =
      Pattern.compile("dev\\.tensorbus\\.rpc\\.(wire|graph|reference|observe)\\..*");

  /// The files found on the stacks of the call, in their order.
  private static final Set<String> SEEN = Collections.synchronizedSet(new LinkedHashSet<>());

  private final List<Vertx> hosts = Stream.generate(new MemoryCluster()::start).limit(2).toList();
  private World world;

  /// A value that looks at the stack when it is encoded and when it is decoded.
  public record Note(int number) {
    public Note {
      look();
    }

    @Override
    public int number() {
      look();
      return number;
    }
  }

  /// Looks at the stack when a frame leaves.
  private record Watched(Transport carrier) implements Transport {
    @Override
    public Future<Void> start(BiConsumer<Frame, String> handler) {
      return carrier.start(handler);
    }

    @Override
    public Future<Void> send(Sender to, Frame frame) {
      look();
      SEEN.add(carrier.getClass().getSimpleName());
      return carrier.send(to, frame);
    }

    @Override
    public void forget(Sender gone) {
      carrier.forget(gone);
    }

    @Override
    public long sentBytes() {
      return carrier.sentBytes();
    }

    @Override
    public long sentBytes(Sender to) {
      return carrier.sentBytes(to);
    }

    @Override
    public Future<Void> stop() {
      return carrier.stop();
    }
  }

  @Remote(execution = Execution.EVENT_LOOP)
  static Note echo(Note note) {
    look();
    return note;
  }

  private static void look() {
    List<StackTraceElement> frames = List.of(new Throwable().getStackTrace());
    frames.reversed().stream()
        .filter(frame -> frame.getClassName().startsWith("dev.tensorbus.rpc."))
        .filter(frame -> !frame.getClassName().startsWith(CallPathTest.class.getName()))
        .filter(frame -> !frame.getClassName().startsWith(CallAttachment.class.getName()))
        .filter(frame -> !OTHER_ROOMS.matcher(frame.getClassName()).matches())
        .forEach(frame -> SEEN.add(frame.getFileName().replace(".java", "")));
  }

  @BeforeEach
  void openWorld() {
    world = new World(World.PATIENCE, hosts.stream().map(CallPathTest::on).toList());
  }

  private static World.Host on(Vertx vertx) {
    return (name, options) ->
        WorkerAssembly.open(
            vertx,
            name,
            options,
            Platform.ofSystem(name),
            worker -> new Watched(new BusTransport(worker)));
  }

  @AfterEach
  void close() {
    world.close();
    hosts.forEach(host -> host.close().await());
  }

  private static List<String> listed() throws IOException {
    String list = LIST.matcher(Files.readString(PAGE)).results().findFirst().get().group();
    return FILE.matcher(list).results().map(found -> found.group(1)).toList();
  }

  @Test
  void thePageListsTheFilesOfACall() throws IOException {
    Note note = new Note(7);
    SEEN.clear();
    assertThat(world.worker(0).rpcSync("worker1", CallPathTest::echo, note)).isEqualTo(note);
    List<String> listed = listed();
    assertThat(listed).hasSizeLessThanOrEqualTo(MOST_FILES).doesNotHaveDuplicates();
    assertThat(SEEN).hasSizeGreaterThan(listed.size() / 2);
    assertThat(listed).containsSubsequence(SEEN);
  }
}
