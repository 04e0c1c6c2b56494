// SPDX-License-Identifier: Apache-2.0
/// The messages of the gRPC door, as protoc makes them of `tensorbus.proto`.
module dev.tensorbus.grpc {
  requires transitive com.google.protobuf;

  exports dev.tensorbus.grpc.v1;
}
