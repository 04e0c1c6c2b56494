// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// Kubernetes' manifests, read strictly: a field that the API has not, or of another type, is an
/// error. The types are made from Kubernetes' own schema.
record Manifests(List<HasMetadata> all) {
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1 Service", Service.class,
          "batch/v1 Job", Job.class,
          "apps/v1 StatefulSet", StatefulSet.class,
          "apps/v1 Deployment", Deployment.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class);

  /// Such a type takes any field, unless one looks away from its catch-all.
  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated member) {
                  return false;
                }
              });

  static Manifests readAll(Path folder) throws IOException {
    List<HasMetadata> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        all.addAll(parse(Files.readString(file)).all());
      }
    }
    return new Manifests(all);
  }

  /// @throws IllegalArgumentException if a field is none or has a value that it cannot have
  static Manifests parse(String text) {
    List<HasMetadata> all = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
      Map<?, ?> fields = (Map<?, ?>) document;
      Class<? extends HasMetadata> kind =
          KINDS.get(fields.get("apiVersion") + " " + fields.get("kind"));
      if (kind == null) {
        throw new IllegalArgumentException("no such kind here: " + fields.get("kind"));
      }
      all.add(STRICT.convertValue(fields, kind));
    }
    return new Manifests(all);
  }

  <T extends HasMetadata> List<T> of(Class<T> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// The only one of its kind.
  <T extends HasMetadata> T only(Class<T> kind) {
    List<T> found = of(kind);
    if (found.size() != 1) {
      throw new IllegalStateException(found.size() + " of " + kind);
    }
    return found.getFirst();
  }

  /// Pods that are alike.
  ///
  /// @param domain that of their names
  record Pods(String name, String domain, PodTemplateSpec template, int count) {}

  /// Those of jobs, of stateful sets and of deployments.
  List<Pods> templates() {
    List<Pods> all = new ArrayList<>();
    for (Job job : of(Job.class)) {
      PodTemplateSpec template = job.getSpec().getTemplate();
      String domain = template.getSpec().getSubdomain();
      all.add(
          new Pods(job.getMetadata().getName(), domain, template, job.getSpec().getCompletions()));
    }
    for (StatefulSet set : of(StatefulSet.class)) {
      StatefulSetSpec spec = set.getSpec();
      String name = set.getMetadata().getName();
      all.add(new Pods(name, spec.getServiceName(), spec.getTemplate(), spec.getReplicas()));
    }
    for (Deployment deployment : of(Deployment.class)) {
      DeploymentSpec spec = deployment.getSpec();
      String name = deployment.getMetadata().getName();
      all.add(new Pods(name, "any", spec.getTemplate(), spec.getReplicas()));
    }
    return all;
  }

  /// The container of each pod, by the name of the pod in the cluster.
  Map<String, Container> pods() {
    Map<String, Container> pods = new LinkedHashMap<>();
    for (Pods alike : templates()) {
      for (int index = 0; index < alike.count(); index++) {
        String name = alike.name() + "-" + index + "." + alike.domain();
        pods.put(name, container(alike.template().getSpec(), name, index));
      }
    }
    return pods;
  }

  private static Container container(PodSpec pod, String name, int index) {
    io.fabric8.kubernetes.api.model.Container described = pod.getContainers().getFirst();
    Map<String, String> environment = new LinkedHashMap<>();
    for (EnvVar variable : described.getEnv()) {
      environment.put(variable.getName(), value(variable, name, index));
    }
    environment.put("JOB_COMPLETION_INDEX", Integer.toString(index)); // as Kubernetes does
    return new Container(described.getCommand(), described.getArgs(), environment);
  }

  /// The address of a pod is called by its name here.
  private static String value(EnvVar variable, String pod, int index) {
    if (variable.getValue() != null) {
      return variable.getValue();
    }
    String field = variable.getValueFrom().getFieldRef().getFieldPath();
    return switch (field) {
      case "status.podIP" -> pod;
      case "metadata.labels['apps.kubernetes.io/pod-index']" -> Integer.toString(index);
      default -> throw new IllegalArgumentException("no such field here: " + field);
    };
  }
}
