/**
 * References between resources, such as `${projects.web.id}`: finds the resource that a reference means,
 * reads the value that it takes, and checks all references together for names without a declaration and for
 * cycles.
 */
import type * as z from 'zod';
import { comparedFields, memberSchemasOf } from '../../kind/compare.ts';
import { childKinds, isSingleton, secretIdOf } from '../../kind/define-kind.ts';
import { dependsOnMissingField, secrecyOf } from '../../kind/disclosure.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../../kind/traits.ts';
import { type Address, addressOf, lastNameOf } from '../../model/address.ts';
import { type Diagnostic, type Position, problem, Reporter } from '../../model/diagnostic.ts';
import { addTo, topologicalOrder } from '../../model/graph.ts';
import { type CollectionId, collectionId, type Resource, type Secrecy } from '../../model/resource.ts';
import { shownIn } from '../../model/shown-secret.ts';
import { closestName } from '../../model/similar-name.ts';
import { holdsSecret, pathOfNames, type Ref, type Value } from '../../model/value.ts';
import { keyNames, type LoadedBlock } from '../blocks/block.ts';
import type { PathStep } from '../expressions/parse-expressions.ts';
import type { ReferencedValue } from '../fields/reading.ts';
import { mayHoldSecret } from '../fields/schema-options.ts';
import { hintFor, quoted, withFullStop } from '../suggest.ts';
import { type CopiedField, mapChildren, type Node, nodeOf } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

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
 * `projects.web.domains["www.example.com"].name`. Goes down by one section and one name at a time; the
 * remaining steps name a field. Returns the reason if there is none, for the report at the reference.
 */
export function findTarget(index: DeclaredIndex, steps: PathStep[]): ReferenceTarget | TargetNotFound {
  let target: ReferenceTarget | undefined;
  let remaining = steps;
  for (;;) {
    const [section, ...names] = remaining as [PathStep | undefined, ...PathStep[]];
    const children = childKinds(index.kinds, target?.kind.name);
    const kind = section && children.find((child) => child.section === section.name);
    // Behind a resource, a step that is no section names a field of it.
    if (!kind || !section) return target ?? unknownSection(steps[0]!, children);
    const next = findIndexEntry(index, kind, target?.address, names);
    if (!next) return unknownName(index, kind, target?.address, { section, name: names[0] });
    target = next;
    remaining = next.fieldSteps;
  }
}

/**
 * Returns the problem with a reference that goes into the section of a kind but names no declared resource in it. `name`: the step behind
 * the section; undefined if there is none.
 */
function unknownName(
  index: DeclaredIndex,
  kind: Kind,
  parent: Address | undefined,
  { section, name }: { section: PathStep; name: PathStep | undefined },
): TargetNotFound {
  const declaredNames = index.entries(kind, parent);
  if (!name)
    return {
      step: section,
      message: `missing name after ${quoted(section.name)}`,
      hint: hintFor('', declaredNames, 'declared'),
    };
  const near = closestName(name.name, declaredNames);
  const advice = near ? `did you mean ${quoted(near)}? If not, declare it` : 'declare it';
  return {
    isUncertain: index.isUncertain(kind, parent),
    step: name,
    message: `${addressOf(parent, kind.section, [])}/${name.name} is not declared`,
    hint: `${advice}; with \`$existing: true\` if it is not managed here`,
  };
}

/** The most steps that are tried as one name. */
const maxStepsOfName = 4;

/**
 * Finds the declared resource of one kind under one parent whose name the next steps of a reference spell,
 * such as `web` in `projects.web.id`. Returns it with the steps behind its name, or undefined. A name of
 * several parts, such as `www/A` of a DNS record, can be several steps (`records.www.A`). The shortest name wins.
 */
function findIndexEntry(
  index: DeclaredIndex,
  kind: Kind,
  parent: Address | undefined,
  names: PathStep[],
): ReferenceTarget | undefined {
  if (isSingleton(kind)) {
    const address = addressOf(parent, kind.section, []);
    return index.declared.has(address) ? { address, kind, fieldSteps: names } : undefined;
  }
  const [name, ...fieldSteps] = names;
  if (!name) return undefined;
  if (kind.yaml.mapBy) {
    const address = addressOf(parent, kind.section, keyNames(kind, name.name));
    if (index.declared.has(address)) return { address, kind, fieldSteps };
  }
  // Names of several parts and the names of units (`API_URL@preview`) are no map keys, so the steps are compared with names in addresses.
  const entries = index.entries(kind, parent);
  for (let count = 1; count <= Math.min(names.length, maxStepsOfName); count++) {
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
 * Returns the problem with the path of a reference, such as `${project.web.id}`, whose first name is not a section, with a suggestion
 * (`projects`). `children`: the kinds whose sections could stand there.
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
 * Returns a problem for each plain name of another resource that no declared resource has, so that a
 * misspelled name is found before anything is sent. Sections in which some entries could not be read
 * (`uncertain`) are skipped, because they may declare it.
 */
export function checkDanglingNames(
  loadedBlocks: LoadedBlock[],
  uncertain: ReadonlySet<CollectionId>,
  kinds: Kinds,
): Diagnostic[] {
  if (!loadedBlocks.some(({ links }) => links.some(({ type }) => type === 'named'))) return [];
  const declared = new Map<Address, string>();
  for (const { block, units } of loadedBlocks)
    for (const address of [block.address, ...units.map((unit) => unit.address)])
      declared.set(address, block.kind.name);
  const namesOf = createSiblingIndex(declared);
  return loadedBlocks.flatMap(({ block, links }) =>
    links
      .filter(
        ({ to, type, kind }) =>
          type === 'named' && !declared.has(to) && !uncertain.has(collectionOfAddress(to, kind)),
      )
      .map(({ to, kind, at }) => {
        const [holder, name] = splitName(to);
        const suggestion = hintFor(name, namesOf(kind, holder), 'declared');
        const advice = `If it is not managed here, declare it with \`$existing: true\` under \`${kinds.get(kind)?.section}\`.`;
        return problem('ref/undeclared', `${to} is not declared`, {
          at,
          address: block.address,
          hint: suggestion === undefined ? advice : `${withFullStop(suggestion)} ${advice}`,
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
 * Creates a function which returns the declared names of a kind below an address prefix (`holder`), such as
 * `projects/`, for "did you mean" hints. `declared`: the kinds of all declared addresses. They are grouped at
 * the first call, because most configurations need no hint. Items of lists without names (`#0`) are left out.
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
 * Returns a problem for each group of resources that need each other in a cycle: by reference, by name, by
 * `$dependsOn`, or as parent. They cannot be applied in any order. After each cycle, its resources are left out
 * and the others are searched again, so that users see all cycles at once.
 */
export function findCycles(
  loadedBlocks: LoadedBlock[],
  resources: ReadonlyMap<Address, Resource>,
): Diagnostic[] {
  // Parents alone form no cycle.
  if (loadedBlocks.every(({ links }) => links.length === 0)) return [];
  const { needs, mentions } = needsOfResources(loadedBlocks, resources);
  const report = new Reporter();
  let nodes = [...resources.keys()];
  for (;;) {
    const remaining = new Set(nodes);
    const result = topologicalOrder(nodes, (node) =>
      [...(needs.get(node) ?? [])].filter((to) => remaining.has(to)),
    );
    if ('order' in result || report.diagnostics.length >= manyCycles) return report.diagnostics;
    reportCycleOf(result.cycle, mentions, resources, report);
    const reported = new Set(result.cycle);
    nodes = nodes.filter((node) => !reported.has(node));
  }
}

/**
 * Reports a cycle of resources: each needs the next one, and the last one needs the first. `mentions`: where a resource mentions another
 * one, by both addresses.
 */
function reportCycleOf(
  cycle: readonly Address[],
  mentions: ReturnType<typeof needsOfResources>['mentions'],
  resources: ReadonlyMap<Address, Resource>,
  report: Reporter,
): void {
  const mentionOf = (i: number) => mentions.get(`${cycle[i]} ${cycle[(i + 1) % cycle.length]}`);
  const positionOfStep = (i: number) => mentionOf(i)?.at ?? resources.get(cycle[i]!)!.at;
  const closed = [...cycle, cycle[0]!];
  // Objects that only name each other have words of their own for it: domains that redirect in a circle.
  const circle = cycle.every((_, i) => mentionOf(i)?.circle) ? mentionOf(0)!.circle : undefined;
  const { code, message, hint } = circle
    ? { ...circle, message: circle.message(closed.map(lastNameOf)) }
    : {
        code: 'config/cycle',
        message: `these depend on each other: ${closed.join(' → ')}`,
        hint: 'remove one of the references',
      };
  report.error(code, message, {
    at: positionOfStep(0),
    address: cycle[0],
    hint,
    // Each cycle is a problem of its own, so only equal ones may be folded into one diagnostic.
    alike: { cause: cycle.join(' ') },
    related: cycle.slice(1).map((address, i) => ({ message: address, at: positionOfStep(i + 1) })),
  });
}

/**
 * Returns the declared resources that each resource needs, by its address: those that it refers to, and its
 * parent. A reference that only copies a declared value (`value`) does not count. `mentions` has the first reference from one to the other,
 * by both addresses (`projects/a projects/b`), for messages. A plain name that may be undeclared (`soft`) also has the words of its kind
 * for a circle of such names.
 */
function needsOfResources(
  loadedBlocks: LoadedBlock[],
  resources: ReadonlyMap<Address, Resource>,
): { needs: Map<Address, Set<Address>>; mentions: Map<string, FirstReference> } {
  const needs = new Map<Address, Set<Address>>();
  const mentions = new Map<string, FirstReference>();
  for (const { block, units, links } of loadedBlocks)
    for (const { address, parent } of units) {
      const needed = needs.get(address) ?? new Set();
      for (const { to, at, type, kind } of links)
        if (type !== 'value' && resources.has(to)) {
          needed.add(to);
          const circle = type === 'soft' ? circleOf(block.kind, kind) : undefined;
          if (!mentions.has(`${address} ${to}`)) mentions.set(`${address} ${to}`, { at, circle });
        }
      if (parent !== undefined && resources.has(parent)) needed.add(parent);
      needs.set(address, needed);
    }
  return { needs, mentions };
}

/**
 * The first reference from one resource to another: its place, and how a circle of such references is reported if it has words of its own.
 */
interface FirstReference {
  at: Position;
  circle: FieldTraits['circle'];
}

/** Returns how objects of a kind report that they name each other in a circle; undefined if they have no words of their own. */
const circleOf = (kind: Kind, named: string): FieldTraits['circle'] =>
  Object.values(kind.fields)
    .map(traitsOf)
    .find(({ softRef }) => softRef === named)?.circle;

/** The resource that a reference takes a value from. */
type ReferenceSource = Pick<Resource, 'address' | 'fields' | 'at'> & {
  kind: Kind;
  /** Set for a variable that `$secretTo` declares: the object whose secret it gets. That secret is shown only once. */
  secretOf: Address | undefined;
  /** True if `$ignore` names the field or a part of it: the configuration states its value only for the creation. */
  isIgnored: boolean;
};

/** The reason why a value cannot be taken, for a diagnostic at the reference. */
interface ReferenceProblem {
  code: string;
  message: string;
  hint?: string | undefined;
}

/**
 * Returns the field that a reference names. If the id of a kind is a secret, its id in the ledger is only a digest, so
 * `id` means the field with the real text.
 */
export const referencedField = (kind: Kind, name: string): string =>
  name === 'id' ? (secretIdOf(kind) ?? 'id') : name;

/**
 * Returns the value that a reference takes from a resource (`source`): the value in the configuration, with
 * its secrets marked, or a placeholder (hole) if only the account has it. Returns a problem if the value can
 * never be read, such as a secret that is shown only once. For a field that `$ignore` names (a plan does not compare it), the value of the
 * account counts. `path`: the field, and the steps to a part of it. `value`: the configured value at that path; undefined if there is none.
 * `spot`: the place of the reference.
 */
export function readSource(
  source: ReferenceSource,
  path: string[],
  value: Value | undefined,
  spot: Spot,
): ReferencedValue | ReferenceProblem {
  const { address, fields, secretOf } = source;
  const [name, ...inner] = path as [string, ...string[]];
  if (secretOf !== undefined && Object.hasOwn(shownIn(fields, secretOf), name))
    return {
      code: 'ref/unreadable',
      message: `${address} gets the secret of ${secretOf}, which is shown only once, so nothing else can take it`,
      hint: 'create an object of its own for each place that needs a secret',
    };
  if (value !== undefined && !source.isIgnored)
    return { value: markReferenceSecrets(nodeOf(value, spot), source, path) };
  // From here on, only the account has the value. A part of a field cannot be taken from it.
  if (inner.length > 0)
    return {
      code: 'ref/unknown-attribute',
      message:
        value === undefined
          ? `${address} declares no ${quoted(pathOfNames(path))}`
          : `the account has ${quoted(pathOfNames(path))} of ${address}, because \`$ignore\` names it`,
      hint: value === undefined ? undefined : `refer to all of \`${name}\`, or write the value itself`,
    };
  const schema = schemaOf(source, name);
  const { writeOnly, createOnly, neverReturned } = schema ? traitsOf(schema) : {};
  if (writeOnly || createOnly || neverReturned?.(fields))
    return {
      code: 'ref/unreadable',
      message: `the platform never returns \`${name}\` of ${address}, so nothing can take its value`,
      hint: 'refer to where the value comes from, for example the same `${secret.name}`',
    };
  const from = liveField(source, name, schema);
  return { value: liveHole(from), live: { from, schema } };
}

/** Returns the schema of a field of the source. */
const schemaOf = ({ kind }: ReferenceSource, name: string): z.ZodType | undefined =>
  comparedFields(kind)[name] ?? kind.fields[name];

/**
 * Describes a field whose value only the account has and that `${...}` copies into another field. Its secrecy
 * is needed to check that no secret is copied to a field that is shown more openly. That may depend on fields
 * of the source that only the account has (`dependsOnMissingField`).
 */
function liveField(source: ReferenceSource, field: string, schema: z.ZodType | undefined): CopiedField {
  const { address, at, fields } = source;
  const traits = schema ? traitsOf(schema) : {};
  const declaredSecrecy = secrecyAt(source, [field]);
  const dependsOnFields = typeof traits.secret === 'function';
  // The declared fields make the value open, but those of the account may differ and make it a secret. Until the plan has read them, the
  // value counts as `readable`, a secret that the platform returns.
  const mayBeSecret = declaredSecrecy === 'open' && dependsOnFields;
  return {
    address,
    field,
    at,
    secrecy: mayBeSecret ? 'readable' : declaredSecrecy,
    dependsOnMissingField: mayBeSecret || dependsOnMissingField(traits, fields),
    isLive: true,
  };
}

/**
 * Creates the placeholder (hole) for a reference `${...}` to a field whose value only the account has.
 * `apply` fills it with the live value when it sends the request. It is marked as secret unless the field is
 * shown openly.
 */
const liveHole = ({ address, field, secrecy }: CopiedField): Ref => ({
  $ref: address,
  attr: field,
  isSecret: secrecy === 'open' ? undefined : true,
});

/**
 * Returns a configured value that a reference copies, with each secret in it marked by the field that it
 * comes from. The mark allows the later check that the receiving field is not shown more openly
 * (`checkCopy`). `path`: the path of the value in its resource.
 */
function markReferenceSecrets(node: Node, source: ReferenceSource, path: string[]): Node {
  if (node.type !== 'hole')
    return mapChildren(node, (child, step) => markReferenceSecrets(child, source, [...path, String(step)]));
  if (!holdsSecret(node.hole)) return node;
  const secrecy = secrecyAt(source, path);
  if (secrecy === 'open') return node;
  const { address, at } = source;
  const field = pathOfNames(path);
  return { ...node, from: { address, field, at, secrecy, dependsOnMissingField: false, isLive: false } };
}

/**
 * Returns how secret a field of a resource is, or a part of it (`inner`), so that a reference cannot copy a
 * secret into a field that is shown openly. If the schema does not describe the part separately, the part
 * counts as secret as soon as any member of it may be.
 */
function secrecyAt(source: ReferenceSource, [name, ...inner]: string[]): Secrecy {
  const field = schemaOf(source, name!);
  if (!field) return 'open';
  let schema: z.ZodType = field;
  // A part has the traits of the values around it, unless its own differ.
  let traits = traitsOf(field);
  for (const step of inner) {
    const member: z.ZodType | undefined = memberSchemasOf(schema)?.(step);
    if (!member) break;
    traits = { ...traits, ...traitsOf(member) };
    schema = member;
  }
  const secrecy = secrecyOf(traits, source.fields);
  if (secrecy !== 'open' || traits.secret || !mayHoldSecret(schema)) return secrecy;
  // The part itself is open, but a member of it may be a secret.
  return secrecyOf({ ...traits, secret: true }, source.fields);
}
