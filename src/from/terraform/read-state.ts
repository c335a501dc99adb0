import type { StateResource } from '../../kind/foreign.ts';
import { type Diagnostic, problem, raise } from '../../model/diagnostic.ts';
import { isPlainObject } from '../../model/value.ts';
import { parseJson } from '../tally.ts';

/** A resource with the source address of its provider, `registry.terraform.io/vercel/vercel`. */
interface FoundResource extends StateResource {
  provider: string;
}

/** The resources in a Terraform state. */
export interface State {
  resources: FoundResource[];
  /** The addresses of objects that Terraform replaced and was about to delete. */
  deposed: string[];
}

type StateObject = Record<string, unknown>;

/**
 * Reads a Terraform state: a stored state of version 4, or the output of `terraform show -json` for a state. Throws `Problems` for anything
 * else. They quote nothing of the file, because it is full of secrets.
 */
export function readState(text: string, file: string): State {
  const state = parseJson(text, file);
  const stateProblem = (message: string): Diagnostic =>
    problem('from/state', `${file}: ${message}`, { hint: howToGet });
  if (!isPlainObject(state)) raise(stateProblem('this is not a state'));
  if ('encrypted_data' in state || 'encryption_version' in state)
    raise(stateProblem('the state is encrypted'));
  if ('planned_values' in state) raise(stateProblem('this is a plan, but the state is needed'));
  if ('values' in state || 'format_version' in state) return readShownState(state);
  if (state.version !== 4)
    raise(
      stateProblem(
        state.version === undefined
          ? 'this is not a Terraform state'
          : 'the state is not version 4, which Terraform 0.12 and later write',
      ),
    );
  return readStoredState(state);
}

const howToGet = 'create one with `terraform state pull > state.json` or `terraform show -json > state.json`';

/**
 * Reads a state for `trueup from terraform` in the form in which Terraform stores it and `terraform state pull` prints it. Deposed objects
 * (replaced ones that Terraform has still to delete) are only listed, by their addresses. A resource has several instances if the code has
 * `count` or `for_each`; each counts as a resource here.
 */
function readStoredState({ resources = [] }: StateObject): State {
  const instances = stateObjectsIn(resources).flatMap((value) => {
    const { mode, type, name, provider, module = '' } = value;
    const isData = mode === 'data';
    // `provider["registry.terraform.io/vercel/vercel"]` has the source of the provider in quotes.
    const source = /provider\["([^"]+)"\]/.exec(String(provider))?.[1] ?? String(provider);
    return stateObjectsIn(value.instances).map((instance): StateInstance => {
      const { index_key: key, attributes, sensitive_attributes: sensitivePaths = [] } = instance;
      // A file of somebody else may have one value where a list is expected.
      const sensitive = [sensitivePaths].flat(1).map(formatSensitivePath);
      return {
        resource: {
          ...toStateResource({ module, type, name, key, isData, attributes }),
          provider: source,
          sensitive: sensitive.filter((path) => path !== ''),
        },
        isDeposed: instance.deposed !== undefined,
      };
    });
  });
  return toState(instances);
}

/** An object in a Terraform state. `isDeposed`: Terraform replaced it, and has still to delete it. */
interface StateInstance {
  resource: FoundResource;
  isDeposed: boolean;
}

/** Returns the state with these objects: the resources, and the addresses of the deposed objects, not converted. */
const toState = (instances: readonly StateInstance[]): State => ({
  resources: instances.flatMap(({ resource, isDeposed }) => (isDeposed ? [] : resource)),
  deposed: instances.flatMap(({ resource, isDeposed }) => (isDeposed ? resource.address : [])),
});

/**
 * Returns the path of a sensitive value from its steps, such as `[{ type: get_attr, value: password_protection }, { type: get_attr, value:
 * password }]`. The path ends before a step into a list or set, so that all of its items are sensitive.
 */
function formatSensitivePath(steps: unknown): string {
  const names: string[] = [];
  for (const step of [steps].flat()) {
    if (!isPlainObject(step)) break;
    // The value of a step into a list has a `type` beside it: `{ value: 0, type: number }`.
    const value = isPlainObject(step.value) ? step.value.value : step.value;
    if (step.type === 'get_attr' && typeof value === 'string') names.push(value);
    else break;
  }
  return names.join('.');
}

/** Reads a state for `trueup from terraform` from the output of `terraform show -json`. */
const readShownState = ({ values }: StateObject): State =>
  toState(isPlainObject(values) ? readShownModule(values.root_module) : []);

/**
 * Returns the objects in a module of the output of `terraform show -json`, and in the modules inside it. Empty for another value than a
 * module.
 */
function readShownModule(module: unknown): StateInstance[] {
  if (!isPlainObject(module)) return [];
  const instances = stateObjectsIn(module.resources).map((value): StateInstance => {
    const { type, name, index: key } = value;
    const parts = { type, name, key, isData: value.mode === 'data', attributes: value.values };
    return {
      resource: {
        ...toStateResource({ ...parts, module: module.address ?? '' }),
        provider: String(value.provider_name),
        sensitive: findSensitivePaths(value.sensitive_values),
      },
      isDeposed: value.deposed_key !== undefined,
    };
  });
  return [...instances, ...stateObjectsIn(module.child_modules).flatMap(readShownModule)];
}

/**
 * Returns the paths of values that Terraform marks as sensitive, from a mark like `{ password_protection: { password: true } }`, so that
 * `trueup from terraform` writes no secret into the YAML. A list or set with a sensitive item is sensitive as a whole.
 */
function findSensitivePaths(value: unknown, path: string[] = []): string[] {
  if (value === true) return [path.join('.')];
  if (Array.isArray(value))
    return value.some((item) => findSensitivePaths(item).length > 0) ? [path.join('.')] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => findSensitivePaths(inner, [...path, name]));
}

/** The members of a resource that both forms of a state have, under different names. */
type ResourceParts = Record<'module' | 'type' | 'name' | 'key' | 'attributes', unknown> & { isData: boolean };

/**
 * Returns a resource of a Terraform state with its address there, `module.site.data.vercel_project.web["de"]`, which the report of `trueup
 * from terraform` shows.
 */
function toStateResource({ module, type, name, key, isData, attributes }: ResourceParts): StateResource {
  const isKeyed = typeof key === 'string' || typeof key === 'number';
  const parts = [
    ...(module === '' ? [] : [String(module)]),
    ...(isData ? ['data'] : []),
    String(type),
    `${name}${isKeyed ? `[${JSON.stringify(key)}]` : ''}`,
  ];
  return {
    address: parts.join('.'),
    module: String(module),
    type: String(type),
    name: String(name),
    key: isKeyed ? key : undefined,
    isData,
    attributes: isPlainObject(attributes) ? attributes : {},
    sensitive: [],
  };
}

/**
 * Returns the objects in a list of a Terraform state, such as its resources; none for an absent one. Throws
 * `Problems` for anything else, so that no resource is lost without a message.
 */
function stateObjectsIn(value: unknown): StateObject[] {
  const items = value ?? [];
  if (Array.isArray(items) && items.every((item): item is StateObject => isPlainObject(item))) return items;
  raise('from/state', 'the state has a list of resources with something else in it', {
    hint: howToGet,
  });
}
