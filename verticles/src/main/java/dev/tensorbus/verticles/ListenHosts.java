// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.transport.listen.Addresses;
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/// The hosts on which a worker listens: loopback addresses, unless connections are authenticated or
/// the network is trusted.
public final class ListenHosts {
  private ListenHosts() {}

  /// Checks the hosts among the values of settings.
  ///
  /// @param name returns the name of a setting in error messages
  /// @throws UsageException if others could connect to one, and nothing is authenticated there, or
  ///     if the values contradict each other
  static void check(JsonObject values, Function<Setting, String> name) {
    boolean isTrusted = values.getBoolean(Setting.TRUSTED_NETWORK.key(), false);
    boolean hasTls = values.containsKey(Setting.TLS.key());
    if (isTrusted && hasTls) {
      throw new UsageException(
          "%s and %s are given; expected one of them"
              .formatted(name.apply(Setting.TLS), name.apply(Setting.TRUSTED_NETWORK)));
    }
    if (!isTrusted) {
      if (!hasTls) {
        check(Setting.MASTER_ADDR, values, name, Setting.TLS.option() + " DIR, or ");
        check(Setting.METRICS_HOST, values, name, Setting.TLS.option() + " DIR, or ");
      }
      check(Setting.PAGE_HOST, values, name, "");
      if (!values.containsKey(GatewaySettings.CERT.key())
          || !values.containsKey(GatewaySettings.TOKEN_FILE.key())) {
        check(
            GatewaySettings.HOST,
            values,
            name,
            "--grpc-cert, --grpc-key and --grpc-token-file, or ");
      }
    }
  }

  private static void check(
      Setting setting, JsonObject values, Function<Setting, String> name, String cure) {
    String host = values.getString(setting.key());
    if (host != null) {
      check(setting, name.apply(setting), host, cure);
    }
  }

  /// Checks the host of a world's rank 0.
  ///
  /// @param options the other settings
  /// @throws UsageException if others could connect to it, and nothing is authenticated there
  public static void check(String masterAddress, WorkerOptions options) {
    if (!options.isOn(Setting.TRUSTED_NETWORK) && options.path(Setting.TLS).isEmpty()) {
      Setting host = Setting.MASTER_ADDR;
      check(host, host.option(), masterAddress, Setting.TLS.option() + " DIR, or ");
    }
  }

  /// Checks one host, unless everyone who can connect to it is trusted.
  ///
  /// @param name the name of its setting in the error message
  /// @param cure what else than a trusted network permits it, for the error message
  /// @throws UsageException if others could connect to it
  public static void check(Setting setting, String name, String host, String cure) {
    if (!Addresses.isLoopback(host)) {
      throw new UsageException(
          ("%s is %s, where everyone on the network could connect; expected %s, or set %s%s if"
                  + " everyone there is trusted")
              .formatted(name, host, setting.standard(), cure, Setting.TRUSTED_NETWORK.option()));
    }
  }
}
