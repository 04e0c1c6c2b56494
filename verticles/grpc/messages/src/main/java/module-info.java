// SPDX-License-Identifier: Apache-2.0
/// The messages of the gRPC gateway, which protoc generates from `tensorbus.proto`.
module dev.tensorbus.grpc {
  requires transitive com.google.protobuf;

  exports dev.tensorbus.grpc.v1;
}
