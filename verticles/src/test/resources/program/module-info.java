// SPDX-License-Identifier: Apache-2.0
/// A program of a user's.
module example.greeting {
  requires dev.tensorbus.verticles;

  opens example.greeting to
      dev.tensorbus.rpc; // which runs its methods

  provides dev.tensorbus.verticles.ProgramProvider with
      example.greeting.GreetingProgram;
}
