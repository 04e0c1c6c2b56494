// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.transport.listen.Addresses;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;

/// The hosts on which a worker listens: loopback addresses, unless the network is trusted.
public final class ListenHosts {
  private static final List<Setting> ALWAYS =
      List.of(Setting.MASTER_ADDR, Setting.PAGE_HOST, Setting.METRICS_HOST);

  private ListenHosts() {}

  /// Checks the hosts among the values of settings.
  ///
  /// @param name returns the name of a setting in error messages
  /// @throws UsageException if others could connect to one, and nothing is authenticated there
  static void check(JsonObject values, Function<Setting, String> name) {
    boolean isTrusted = values.getBoolean(Setting.TRUSTED_NETWORK.key(), false);
    for (Setting host : ALWAYS) {
      check(host, values, name, isTrusted);
    }
    boolean hasCertificate = values.containsKey(GatewaySettings.CERT.key());
    check(GatewaySettings.HOST, values, name, isTrusted || hasCertificate);
  }

  private static void check(
      Setting setting, JsonObject values, Function<Setting, String> name, boolean isTrusted) {
    String host = values.getString(setting.key());
    if (host != null) {
      check(setting, name.apply(setting), host, isTrusted);
    }
  }

  /// Checks one host.
  ///
  /// @param name the name of its setting in the error message
  /// @param isTrusted whether everyone who can connect to it is trusted
  /// @throws UsageException if others could connect to it, and they are not trusted
  public static void check(Setting setting, String name, String host, boolean isTrusted) {
    if (!isTrusted && !Addresses.isLoopback(host)) {
      throw new UsageException(
          ("%s is %s, where everyone on the network could connect; expected %s, or set %s if"
                  + " everyone there is trusted%s")
              .formatted(
                  name,
                  host,
                  setting.standard(),
                  Setting.TRUSTED_NETWORK.option(),
                  setting.equals(GatewaySettings.HOST) ? ", or --grpc-cert and --grpc-key" : ""));
    }
  }
}
