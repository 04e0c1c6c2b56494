// SPDX-License-Identifier: Apache-2.0
/// The messages of the gRPC gateway, as protoc makes them of `tensorbus.proto`.
module dev.tensorbus.grpc {
  requires transitive com.google.protobuf;

  exports dev.tensorbus.grpc.v1;
}
