import type { StateResource } from '../../kind/foreign.ts';
import { type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import { isPlainObject } from '../../model/value.ts';
import { parseJson } from '../parse-json.ts';

/** A resource with the source address of its provider, `registry.terraform.io/vercel/vercel`. */
interface FoundResource extends StateResource {
  provider: string;
}

export interface State {
  resources: FoundResource[];
  /** Addresses of what Terraform was still going to delete. */
  deposed: string[];
}

type StateObject = Record<string, unknown>;

/**
 * Reads a state of version 4, or what `terraform show -json` prints of one (not of a plan). Throws `Problems` for anything else, which
 * quote nothing of the file: it is full of secrets.
 */
export function readState(text: string, file: string): State {
  const state = parseJson(text, file);
  const wrong = (message: string, hint: string): Diagnostic =>
    problem('from/state', `${file}: ${message}`, { hint });
  if (!isPlainObject(state)) throw new Problems([wrong('this is not a state', howToGet)]);
  if ('encrypted_data' in state || 'encryption_version' in state)
    throw new Problems([wrong('the state is encrypted', howToGet)]);
  if ('planned_values' in state)
    throw new Problems([wrong('this is a plan, but the state is needed', howToGet)]);
  if ('values' in state || 'format_version' in state) return readShownState(state);
  if (state.version !== 4)
    throw new Problems([
      wrong(
        state.version === undefined
          ? 'this is not a Terraform state'
          : 'the state is not version 4, which Terraform 0.12 and later write',
        howToGet,
      ),
    ]);
  return stored(state);
}

const howToGet = 'create one with `terraform state pull > state.json` or `terraform show -json > state.json`';

/** The state as it is kept. */
function stored({ resources = [] }: StateObject): State {
  const state: State = { resources: [], deposed: [] };
  for (const value of stateObjectsIn(resources)) {
    const { mode, type, name, provider, module = '' } = value;
    const isData = mode === 'data';
    for (const instance of stateObjectsIn(value.instances)) {
      const { index_key: key, attributes, sensitive_attributes: marked = [] } = instance;
      const stateResource = toStateResource({ module, type, name, key, isData, attributes });
      if (instance.deposed !== undefined) {
        state.deposed.push(stateResource.address);
        continue;
      }
      const source = /provider\["([^"]+)"\]/.exec(String(provider))?.[1] ?? String(provider);
      state.resources.push({
        ...stateResource,
        provider: source,
        sensitive: [marked]
          .flat(1)
          .map(markedPath)
          .filter((path) => path !== ''),
      });
    }
  }
  return state;
}

/** `[{ type: get_attr, value: password_protection }, { type: get_attr, value: password }]`. From the first step into a set on, all of it is. */
function markedPath(steps: unknown): string {
  const names: string[] = [];
  for (const step of [steps].flat()) {
    if (!isPlainObject(step)) break;
    const value = isPlainObject(step.value) ? step.value.value : step.value;
    if (step.type === 'get_attr' && typeof value === 'string') names.push(value);
    else break;
  }
  return names.join('.');
}

/** The state as `terraform show -json` prints it. */
function readShownState({ values }: StateObject): State {
  const resources: FoundResource[] = [];
  const deposed: string[] = [];
  const walk = (module: unknown): void => {
    if (!isPlainObject(module)) return;
    for (const value of stateObjectsIn(module.resources)) {
      const { mode, type, name, index: key, provider_name: provider, sensitive_values: marked } = value;
      const stateResource = toStateResource({
        module: module.address ?? '',
        type,
        name,
        key,
        isData: mode === 'data',
        attributes: value.values,
      });
      if (value.deposed_key !== undefined) deposed.push(stateResource.address);
      else resources.push({ ...stateResource, provider: String(provider), sensitive: markedIn(marked) });
    }
    for (const child of stateObjectsIn(module.child_modules)) walk(child);
  };
  walk(isPlainObject(values) ? values.root_module : undefined);
  return { resources, deposed };
}

/** `{ password_protection: { password: true } }`; of a list or a set all of it counts. */
function markedIn(marked: unknown, path: string[] = []): string[] {
  if (marked === true) return [path.join('.')];
  if (Array.isArray(marked)) return marked.some((one) => markedIn(one).length > 0) ? [path.join('.')] : [];
  if (!isPlainObject(marked)) return [];
  return Object.entries(marked).flatMap(([name, inner]) => markedIn(inner, [...path, name]));
}

type Parts = Record<'module' | 'type' | 'name' | 'key' | 'attributes', unknown> & { isData: boolean };

function toStateResource({ module, type, name, key, isData, attributes }: Parts): StateResource {
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
    ...(isKeyed ? { key } : {}),
    isData,
    attributes: isPlainObject(attributes) ? attributes : {},
    sensitive: [],
  };
}

/** The objects in a list. Throws `Problems` for anything else: what it stands for would be lost. */
function stateObjectsIn(value: unknown): StateObject[] {
  const items = value ?? [];
  if (Array.isArray(items) && items.every((item): item is StateObject => isPlainObject(item))) return items;
  throw new Problems('from/state', 'the state has a list of resources with something else in it', {
    hint: howToGet,
  });
}
