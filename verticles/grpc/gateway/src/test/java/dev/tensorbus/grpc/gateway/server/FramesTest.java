// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.StringValue;
import dev.tensorbus.grpc.v1.PullParametersResponse;
import dev.tensorbus.grpc.v1.TensorPart;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Messages in data that is cut anywhere.
class FramesTest {
  private static final long SEED = Long.getLong("seed", System.nanoTime());
  private final List<ByteString> taken = new ArrayList<>();
  private final Frames frames = new Frames(1000, taken::add);

  private static ByteString frame(int length) {
    StringValue message = StringValue.of("x".repeat(length));
    return ByteString.copyFrom(Frames.of(message).getBytes());
  }

  @Test
  void messagesComeOutAsTheyWentInHoweverTheDataIsCut() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Integer> lengths = random.ints(200, 0, 900).boxed().toList();
    ByteString data = ByteString.EMPTY;
    for (int length : lengths) {
      data = data.concat(frame(length));
    }
    for (int from = 0; from < data.size(); ) {
      int to = Math.min(data.size(), from + random.nextInt(1, random.nextBoolean() ? 8 : 3000));
      frames.add(data.substring(from, to));
      from = to;
    }
    List<Integer> came = new ArrayList<>();
    for (ByteString message : taken) {
      came.add(StringValue.parseFrom(message).getValue().length());
    }
    assertThat(came).as("seed %d", SEED).isEqualTo(lengths);
  }

  @Test
  void longValuesTravelFromWhereTheyAreAmongShortOnes() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    PullParametersResponse.Builder message = PullParametersResponse.newBuilder();
    for (int length : new int[] {0, 1, 1023, 1024, 1025, 5000, 3, 100_000, 2}) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      message.addParts(TensorPart.newBuilder().setValues(ByteString.copyFrom(bytes)));
    }
    Frames whole = new Frames(1 << 20, taken::add);
    whole.add(ByteString.copyFrom(Frames.of(message.build()).getBytes()));
    assertThat(PullParametersResponse.parseFrom(taken.getFirst()))
        .as("seed %d", SEED)
        .isEqualTo(message.build());
  }

  @Test
  void aMessageThatIsTooLargeIsRefusedByItsLengthAlone() {
    assertThatThrownBy(() -> frames.add(ByteString.fromHex("00ffffffff")))
        .hasMessage(
            "a message of 4294967295 bytes; expected at most 1000 (--grpc-max-message);"
                + " send tensors in smaller parts");
    assertThat(taken).isEmpty();
  }

  @Test
  void aMessageThatIsCompressedIsRefused() {
    assertThatThrownBy(() -> frames.add(ByteString.fromHex("0100000001ff")))
        .hasMessage("only uncompressed protobuf messages are supported");
  }
}
