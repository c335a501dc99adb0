import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { topologicalOrder } from '../../model/graph.ts';
import { type CollectionId, collectionId, type Resource } from '../../model/resource.ts';
import { keyNames, type ReadBlock } from '../blocks/block.ts';
import type { Step } from '../expressions/parse-expressions.ts';
import { closest, hintFor, quoted } from '../suggest.ts';

/** The declared resources: the kinds of all addresses, those of blocks with mistakes included. */
export interface DeclaredIndex {
  kinds: Kinds;
  declared: ReadonlyMap<Address, Kind>;
  /** The addresses of the entries of one kind under one parent, by what follows the section in the address, unescaped. */
  entries(kind: Kind, parent: Address | undefined): ReadonlyMap<string, Address>;
  /** Some of them could not be made out. */
  isUncertain(kind: Kind, parent: Address | undefined): boolean;
}

interface Target {
  address: Address;
  kind: Kind;
  /** The steps behind the address: a field. */
  fieldSteps: Step[];
}
interface TargetNotFound {
  step: Step;
  message: string;
  hint?: string;
  /** It may be declared where something is wrong: not worth a word. */
  isUncertain?: boolean;
}

/** The resource that a path like `projects.web.domains["www.example.com"].name` leads to. */
export function findTarget(index: DeclaredIndex, steps: Step[]): Target | TargetNotFound {
  let target: Target | undefined;
  let rest = steps;
  for (;;) {
    const [section, ...names] = rest as [Step | undefined, ...Step[]];
    const children = childKinds(index.kinds, target?.kind.name);
    const kind = section && children.find((child) => child.section === section.name);
    if (!kind || !section) return target ?? unknownSection(steps[0]!, children);
    const next = findEntry(index, kind, target?.address, names);
    if (!next) {
      const prefix = `${addressOf(target?.address, kind.section, [])}/`;
      const valid = [...index.entries(kind, target?.address).keys()];
      const [name] = names;
      if (!name)
        return {
          step: section,
          message: `missing name after ${quoted(section.name)}`,
          hint: hintFor('', valid, 'declared'),
        };
      const near = closest(name.name, valid);
      return {
        isUncertain: index.isUncertain(kind, target?.address),
        step: name,
        message: `${prefix}${name.name} is not declared`,
        hint: `${near ? `did you mean ${quoted(near)}? If not, declare it` : 'declare it'}; with \`$existing: true\` if it is not managed here`,
      };
    }
    target = next;
    rest = next.fieldSteps;
  }
}

function findEntry(
  index: DeclaredIndex,
  kind: Kind,
  parent: Address | undefined,
  names: Step[],
): Target | undefined {
  if (kind.key.length === 0) {
    const address = addressOf(parent, kind.section, []);
    return index.declared.has(address) ? { address, kind, fieldSteps: names } : undefined;
  }
  const [name, ...rest] = names;
  if (!name) return undefined;
  if (kind.yaml.mapBy) {
    const address = addressOf(parent, kind.section, keyNames(kind, name.name));
    if (index.declared.has(address)) return { address, kind, fieldSteps: rest };
  }
  // Names of several parts, and units: compared with the end of the address.
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

const unknownSection = (step: Step, children: readonly Kind[]): TargetNotFound => ({
  step,
  message: `${quoted(step.name)} is not a section`,
  hint: hintFor(
    step.name,
    children.map(({ section }) => section),
  ),
});

/** Says which names in `ref` fields lead to nothing. */
export function checkDanglingNames(
  read: ReadBlock[],
  uncertain: ReadonlySet<CollectionId>,
  kinds: Kinds,
): Diagnostic[] {
  const declared = new Map<Address, string>();
  for (const { block, units } of read)
    for (const address of [block.address, ...units.map((unit) => unit.address)])
      declared.set(address, block.kind.name);
  return read.flatMap(({ block, links }) =>
    links
      .filter(
        ({ to, type, kind }) =>
          type === 'named' && !declared.has(to) && !uncertain.has(collectionOf(to, kind)),
      )
      .map(({ to, kind, at }) => {
        const prefix = to.slice(0, to.lastIndexOf('/') + 1);
        const siblings = [...declared.keys()].filter(
          (address) => address.startsWith(prefix) && declared.get(address) === kind && !/#\d+$/.test(address),
        );
        const near = hintFor(
          to.slice(prefix.length),
          siblings.map((address) => address.slice(prefix.length)),
          'declared',
        );
        return problem('ref/undeclared', `${to} is not declared`, {
          at,
          address: block.address,
          hint: `${near ? `${near}${near.endsWith('?') ? '' : '.'} ` : ''}If it is not managed here, declare it with \`$existing: true\` under \`${kinds.get(kind)?.section}\`.`,
        });
      }),
  );
}

/** The collection that a named resource would be in: behind its parent's address stand a section and a name. */
const collectionOf = (address: Address, kind: string): CollectionId =>
  collectionId(kind, address.split('/').slice(0, -2).join('/') || undefined);

const manyCycles = 20;

/** Resources that need each other: by reference, by name, by `$dependsOn`, or as parent. */
export function findCycles(read: ReadBlock[], resources: ReadonlyMap<Address, Resource>): Diagnostic[] {
  const needs = new Map<Address, Set<Address>>();
  const places = new Map<string, ReadBlock['links'][number]['at']>();
  for (const { units, links } of read)
    for (const { address, parent } of units) {
      const need = needs.get(address) ?? new Set();
      for (const { to, at } of links)
        if (resources.has(to)) {
          need.add(to);
          if (!places.has(`${address} ${to}`)) places.set(`${address} ${to}`, at);
        }
      if (parent !== undefined && resources.has(parent)) need.add(parent);
      needs.set(address, need);
    }
  const diagnostics: Diagnostic[] = [];
  let nodes = [...resources.keys()];
  for (;;) {
    const inside = new Set(nodes);
    const result = topologicalOrder(nodes, (node) =>
      [...(needs.get(node) ?? [])].filter((to) => inside.has(to)),
    );
    if ('order' in result || diagnostics.length >= manyCycles) return diagnostics;
    const { cycle } = result;
    const place = (i: number) =>
      places.get(`${cycle[i]} ${cycle[(i + 1) % cycle.length]}`) ?? resources.get(cycle[i]!)!.at;
    diagnostics.push(
      problem('ref/cycle', `these depend on each other: ${[...cycle, cycle[0]].join(' → ')}`, {
        at: place(0),
        address: cycle[0],
        hint: 'remove one of the references',
        // Each circle has to be opened by itself.
        alike: { cause: cycle.join(' ') },
        related: cycle.slice(1).map((address, i) => ({ message: address, at: place(i + 1) })),
      }),
    );
    const seen = new Set(cycle);
    nodes = nodes.filter((node) => !seen.has(node));
  }
}
