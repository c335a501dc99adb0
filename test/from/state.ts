type Attributes = Record<string, unknown>;

/** A resource as a state of version 4 has it; `instances` by the key of a `for_each`. */
export interface Resource {
  mode?: 'data';
  type: string;
  name: string;
  module?: string;
  provider?: string;
  attributes?: Attributes;
  instances?: Record<string, Attributes>;
  sensitive?: string[][];
}

const own = 'provider["registry.terraform.io/vercel/vercel"]';

/** A resource of the platform's provider, with the team that they all are in. */
export const resourceOf = (type: string, attributes: Attributes, name = 'it'): Resource => ({
  type: `vercel_${type}`,
  name,
  attributes: { team_id: 'team_acme', ...attributes },
});

/** A state of version 4, as Terraform writes it. */
export const stateOf = (resources: Resource[]): string =>
  JSON.stringify({
    version: 4,
    terraform_version: '1.9.8',
    serial: 7,
    lineage: '6d5b4d7c-7a0e-4a52-9a4e-000000000000',
    outputs: {},
    resources: resources.map(({ mode = 'managed', type, name, module, provider, ...rest }) => ({
      ...(module === undefined ? {} : { module }),
      mode,
      type,
      name,
      provider: provider === undefined ? own : `provider["${provider}"]`,
      instances: instancesOf(rest),
    })),
    check_results: null,
  });

function instancesOf({
  attributes,
  instances = {},
  sensitive = [],
}: Pick<Resource, 'attributes' | 'instances' | 'sensitive'>) {
  const marked = sensitive.map((path) => path.map((value) => ({ type: 'get_attr', value })));
  const instance = (values: Attributes, key?: string) => ({
    ...(key === undefined ? {} : { index_key: key }),
    schema_version: 0,
    attributes: values,
    sensitive_attributes: marked,
  });
  if (attributes) return [instance(attributes)];
  return Object.entries(instances).map(([key, values]) => instance(values, key));
}

/** The same as `terraform show -json` prints it, with one module below the root for each that is named. */
export function shownStateOf(resources: Resource[]): string {
  const inModule = (name: string | undefined) =>
    resources
      .filter((one) => one.module === name)
      .flatMap(
        ({ mode = 'managed', type, name: called, provider, attributes, instances, sensitive = [] }) => {
          const tree = Object.fromEntries(
            sensitive.map(([first, second]) => [first, second ? { [second]: true } : true]),
          );
          const all: [string | undefined, Attributes][] = attributes
            ? [[undefined, attributes]]
            : Object.entries(instances ?? {});
          return all.map(([index, values]) => ({
            mode,
            type,
            name: called,
            ...(index === undefined ? {} : { index }),
            provider_name: provider ?? 'registry.terraform.io/vercel/vercel',
            schema_version: 0,
            values,
            sensitive_values: tree,
          }));
        },
      );
  const modules = [...new Set(resources.flatMap(({ module }) => module ?? []))];
  return JSON.stringify({
    format_version: '1.0',
    terraform_version: '1.9.8',
    values: {
      root_module: {
        resources: inModule(undefined),
        child_modules: modules.map((address) => ({ address, resources: inModule(address) })),
      },
    },
  });
}
