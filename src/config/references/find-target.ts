/** Finds the resources that references mean, and checks references between all resources: names without a declaration, and cycles. */
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { addTo, topologicalOrder } from '../../model/graph.ts';
import { type CollectionId, collectionId, type Resource } from '../../model/resource.ts';
import { keyNames, type ReadBlock } from '../blocks/block.ts';
import type { PathStep } from '../expressions/parse-expressions.ts';
import { closestName, hintFor, quoted } from '../suggest.ts';

/** The declared resources, including blocks with errors, as references search them. */
export interface DeclaredIndex {
  kinds: Kinds;
  declared: ReadonlyMap<Address, Kind>;
  /** The addresses of the entries of one kind under one parent, by their unescaped names: the part of the address after the section. */
  entries(kind: Kind, parent: Address | undefined): ReadonlyMap<string, Address>;
  /** True if some entries of this collection could not be read, so a missing name may be declared there. */
  isUncertain(kind: Kind, parent: Address | undefined): boolean;
}

/** The resource that a path leads to, and the rest of the path. */
export interface ReferenceTarget {
  address: Address;
  kind: Kind;
  /** The steps after the address: a field, and a path inside it. */
  fieldSteps: PathStep[];
}
/** The reason why a path leads to no declared resource. */
interface TargetNotFound {
  step: PathStep;
  message: string;
  hint?: string;
  /** True if it may be declared in a part that could not be read. Then it is not reported. */
  isUncertain?: boolean;
}

/**
 * Finds the declared resource that the path of a reference leads to, such as
 * `projects.web.domains["www.example.com"].name`. The reference then takes its value from that resource. Goes down by
 * one section and one name at a time; the remaining steps name a field. Returns a reason if there is none, for the
 * report at the reference.
 */
export function findTarget(index: DeclaredIndex, steps: PathStep[]): ReferenceTarget | TargetNotFound {
  let target: ReferenceTarget | undefined;
  let remaining = steps;
  for (;;) {
    const [section, ...names] = remaining as [PathStep | undefined, ...PathStep[]];
    const children = childKinds(index.kinds, target?.kind.name);
    const kind = section && children.find((child) => child.section === section.name);
    if (!kind || !section) return target ?? unknownSection(steps[0]!, children);
    const next = findIndexEntry(index, kind, target?.address, names);
    if (!next) {
      const prefix = `${addressOf(target?.address, kind.section, [])}/`;
      const valid = index.entries(kind, target?.address);
      const [name] = names;
      if (!name)
        return {
          step: section,
          message: `missing name after ${quoted(section.name)}`,
          hint: hintFor('', valid, 'declared'),
        };
      const near = closestName(name.name, valid);
      return {
        isUncertain: index.isUncertain(kind, target?.address),
        step: name,
        message: `${prefix}${name.name} is not declared`,
        hint: `${near ? `did you mean ${quoted(near)}? If not, declare it` : 'declare it'}; with \`$existing: true\` if it is not managed here`,
      };
    }
    target = next;
    remaining = next.fieldSteps;
  }
}

/**
 * Finds the entry of one collection whose name the next steps of a reference spell. One name can be several
 * steps, because a path is also split at dots inside names (`www.example.com`). Returns undefined if none is
 * declared.
 */
function findIndexEntry(
  index: DeclaredIndex,
  kind: Kind,
  parent: Address | undefined,
  names: PathStep[],
): ReferenceTarget | undefined {
  if (kind.key.length === 0) {
    const address = addressOf(parent, kind.section, []);
    return index.declared.has(address) ? { address, kind, fieldSteps: names } : undefined;
  }
  const [name, ...fieldSteps] = names;
  if (!name) return undefined;
  if (kind.yaml.mapBy) {
    const address = addressOf(parent, kind.section, keyNames(kind, name.name));
    if (index.declared.has(address)) return { address, kind, fieldSteps: fieldSteps };
  }
  // Names of several parts and the names of units are no map keys: compare one to four steps with the names in the address.
  const entries = index.entries(kind, parent);
  for (let count = 1; count <= Math.min(names.length, 4); count++) {
    const address = entries.get(
      names
        .slice(0, count)
        .map((step) => step.name)
        .join('/'),
    );
    if (address !== undefined) return { address, kind, fieldSteps: names.slice(count) };
  }
  return undefined;
}

/**
 * Returns the problem with a path that does not begin with a section, with a suggestion. `children`: the kinds whose
 * sections could stand there.
 */
const unknownSection = (step: PathStep, children: readonly Kind[]): TargetNotFound => ({
  step,
  message: `${quoted(step.name)} is not a section`,
  hint: hintFor(
    step.name,
    children.map(({ section }) => section),
  ),
});

/**
 * Reports names in fields with the `ref` trait that no declared resource has, so that a misspelled name is found before
 * anything is sent. Names in collections that could not be read completely are skipped.
 */
export function checkDanglingNames(
  read: ReadBlock[],
  uncertain: ReadonlySet<CollectionId>,
  kinds: Kinds,
): Diagnostic[] {
  const declared = new Map<Address, string>();
  for (const { block, units } of read)
    for (const address of [block.address, ...units.map((unit) => unit.address)])
      declared.set(address, block.kind.name);
  const namesOf = createSiblingIndex(declared);
  return read.flatMap(({ block, links }) =>
    links
      .filter(
        ({ to, type, kind }) =>
          type === 'named' && !declared.has(to) && !uncertain.has(collectionOfAddress(to, kind)),
      )
      .map(({ to, kind, at }) => {
        const [holder, name] = splitName(to);
        const near = hintFor(name, namesOf(kind, holder), 'declared');
        return problem('ref/undeclared', `${to} is not declared`, {
          at,
          address: block.address,
          hint: `${near ? `${near}${near.endsWith('?') ? '' : '.'} ` : ''}If it is not managed here, declare it with \`$existing: true\` under \`${kinds.get(kind)?.section}\`.`,
        });
      }),
  );
}

/** Splits an address before its last name: `projects/` and `web`. */
const splitName = (address: Address): [holder: string, name: string] => {
  const start = address.lastIndexOf('/') + 1;
  return [address.slice(0, start), address.slice(start)];
};

/**
 * Creates a function that returns the declared names of a kind below an address prefix (`projects/`), for suggestions.
 * All addresses are grouped once, at the first call, because most configurations need no suggestion.
 */
function createSiblingIndex(
  declared: ReadonlyMap<Address, string>,
): (kind: string, holder: string) => string[] {
  let names: Map<string, string[]> | undefined;
  const index = () => {
    const groups = new Map<string, string[]>();
    for (const [address, kind] of declared) {
      const [holder, name] = splitName(address);
      if (!/#\d+$/.test(address)) addTo(groups, `${kind} ${holder}`, name);
    }
    return groups;
  };
  return (kind, holder) => {
    names ??= index();
    return names.get(`${kind} ${holder}`) ?? [];
  };
}

/** Returns the collection that a named resource would be in: its address is that of the parent, a section and a name. */
const collectionOfAddress = (address: Address, kind: string): CollectionId =>
  collectionId(kind, address.split('/').slice(0, -2).join('/') || undefined);

/** After so many cycles, the others are not searched. */
const manyCycles = 20;

/**
 * Reports resources that need each other: by reference, by name, by `$dependsOn`, or as parent. No order of operations
 * would be valid. After each cycle, its resources are left out and the others searched again, so that every cycle is
 * reported once.
 */
export function findCycles(read: ReadBlock[], resources: ReadonlyMap<Address, Resource>): Diagnostic[] {
  const needs = new Map<Address, Set<Address>>();
  const mentions = new Map<string, ReadBlock['links'][number]['at']>();
  for (const { units, links } of read)
    for (const { address, parent } of units) {
      const needed = needs.get(address) ?? new Set();
      for (const { to, at } of links)
        if (resources.has(to)) {
          needed.add(to);
          if (!mentions.has(`${address} ${to}`)) mentions.set(`${address} ${to}`, at);
        }
      if (parent !== undefined && resources.has(parent)) needed.add(parent);
      needs.set(address, needed);
    }
  const diagnostics: Diagnostic[] = [];
  let nodes = [...resources.keys()];
  for (;;) {
    const remaining = new Set(nodes);
    const result = topologicalOrder(nodes, (node) =>
      [...(needs.get(node) ?? [])].filter((to) => remaining.has(to)),
    );
    if ('order' in result || diagnostics.length >= manyCycles) return diagnostics;
    const { cycle } = result;
    const positionOfStep = (i: number) =>
      mentions.get(`${cycle[i]} ${cycle[(i + 1) % cycle.length]}`) ?? resources.get(cycle[i]!)!.at;
    diagnostics.push(
      problem('config/cycle', `these depend on each other: ${[...cycle, cycle[0]].join(' → ')}`, {
        at: positionOfStep(0),
        address: cycle[0],
        hint: 'remove one of the references',
        // Each cycle is a problem of its own, so only equal ones may be folded into one diagnostic.
        alike: { cause: cycle.join(' ') },
        related: cycle.slice(1).map((address, i) => ({ message: address, at: positionOfStep(i + 1) })),
      }),
    );
    const reported = new Set(cycle);
    nodes = nodes.filter((node) => !reported.has(node));
  }
}
