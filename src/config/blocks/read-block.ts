import { namesOf } from '../../kind/define-kind.ts';
import { describeLeak, mayCopy } from '../../kind/disclosure.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import { type Diagnostic, problem, warning } from '../../model/diagnostic.ts';
import type { FieldReference, Meta, Resource } from '../../model/resource.ts';
import { formOfSecret, shownIn } from '../../model/shown-secret.ts';
import { type Fields, holesIn, isRef, isSecret } from '../../model/value.ts';
import { type CopiedValue, readFields } from '../fields/read-fields.ts';
import { type Finding, holdsWaiting, type Resolver } from '../fields/reading.ts';
import { dataPlaceOf, type Entry, type Node } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { type Block, keyNames, type Link, type ReadBlock } from './block.ts';
import { type Children, type ReadMeta, readMeta } from './meta-readers.ts';
import type { ThenContext, Thens } from './read-then.ts';

/** The parts of the other blocks that reading one block needs. */
export interface Surroundings {
  parentFields: Fields;
  children: Children;
  /** References of this block. `wait`: what they lead to is not known yet. */
  resolver(links: Link[], wait: () => void): Resolver;
  /** The input for `$then`; without it, `$then` is not read. */
  thens?: Pick<ThenContext, 'kinds' | 'sections' | 'matchDeclared'> & Thens;
  dependsOn(name: string, finding: Omit<Finding, 'code' | 'message'>): Address | Finding | undefined;
}

/** Reads a block: fields checked and normalized, `$` keys checked, units made. */
export function readBlock(block: Block, surroundings: Surroundings): ReadBlock {
  const { kind, own } = block;
  const links: Link[] = [];
  let isWaiting = false;
  const meta = readMeta(kind, block.meta, surroundings.children);
  const isPartial = Boolean(meta.meta.existing || meta.meta.forget);
  const wait = () => {
    isWaiting = true;
  };
  const resolver = surroundings.resolver(links, wait);
  const { fields, findings, copies, isPoisoned } = readFields(
    kind,
    own,
    isPartial,
    surroundings.parentFields,
    resolver,
  );
  findings.push(...meta.findings, ...notOfExisting(block, meta));
  const { secretOf } = block;
  if (secretOf !== undefined) links.push({ to: secretOf, kind: '', at: block.position, type: 'ref' });
  const dependsOn: Address[] = [];
  for (const { name, node } of meta.dependsOn) {
    const found = surroundings.dependsOn(name, { path: [], node });
    if (typeof found === 'object') findings.push(found);
    else if (found !== undefined) {
      dependsOn.push(found);
      links.push({ to: found, kind: '', at: positionOf(node.at), type: 'ref' });
    }
  }
  const { thens } = surroundings;
  // What an action is given, no change waits for: it is sent after all of them.
  const free = surroundings.resolver([], wait);
  const actions =
    meta.actions && thens ? thens.read(meta.actions, { block, resolver: free, ...thens }, findings) : [];
  findings.push(...holesInKey(block, fields), ...copies.flatMap((copy) => refusedCopy(copy, block)));
  const read: ReadBlock = { block, fields, units: [], diagnostics: [], links, references: [], isWaiting };
  if (!block.isWrong && !isPoisoned && findings.every(({ severity }) => severity === 'warning')) {
    const complete: Meta = {
      ...meta.meta,
      ...(dependsOn.length > 0 ? { dependsOn } : {}),
      ...(actions.length > 0 ? { actions } : {}),
      ...secretIn(block, fields),
    };
    read.units = unitsOf(block, fields, complete, meta, surroundings, findings);
    read.references = [
      ...read.units.flatMap(({ address }) => copies.map((copy) => referenceBy(copy, address))),
      ...read.units.flatMap(shownReferences),
    ];
  }
  read.diagnostics = findings
    .filter(({ code }) => !(block.isWrong && code === 'config/missing'))
    .map((finding) => toDiagnostic(finding, block));
  return read;
}

/** Says that a secret would go to a field that is less secret; what depends on the account is decided when that is read. */
function refusedCopy({ from, path, node, secrecy }: CopiedValue, { address }: Block): Finding[] {
  if (from.dependsOnMissingField || mayCopy(from.secrecy, secrecy)) return [];
  const { message, hint } = describeLeak(from, { address, field: path.join('.'), secrecy });
  return [
    { code: 'ref/secret', message, hint, path, node, related: [{ message: 'the secret', at: from.at }] },
  ];
}

const referenceBy = (
  { from: { isLive, ...source }, path, node, secrecy }: CopiedValue,
  address: Address,
): FieldReference => ({
  source,
  target: { address, field: path.join('.'), secrecy, at: positionOf(node.at) },
  isLive,
});

/** Returns the references of a variable to the secret that `$secretTo` writes to it. */
const shownReferences = ({ address, at, fields, meta: { secretOf } }: Resource): FieldReference[] => {
  const secrecy = 'write-only';
  return Object.entries(secretOf ? shownIn(fields, secretOf.object) : {}).map(([field, member]) => ({
    source: { address: secretOf!.object, field: member, secrecy, dependsOnMissingField: false, at },
    target: { address, field, secrecy, at },
    isLive: false,
  }));
};

/** The secret in a variable that `$secretTo` declares. */
function secretIn({ secretOf: object }: Block, fields: Fields): Pick<Meta, 'secretOf'> {
  const [field] = object === undefined ? [] : Object.keys(shownIn(fields, object));
  return field === undefined
    ? {}
    : { secretOf: { object: object!, form: formOfSecret(fields[field]!, object!) } };
}

function unitsOf(
  block: Block,
  fields: Fields,
  meta: Meta,
  { was }: ReadMeta,
  { parentFields }: Surroundings,
  findings: Finding[],
): Resource[] {
  const { kind, parent } = block;
  let rows: Fields[];
  try {
    rows = kind.shape.units(fields, parentFields).map(withoutAbsent);
  } catch (error) {
    // A kind can trust its fields, unless some are missing on purpose or not known yet.
    if (!meta.existing && !meta.forget && holesIn(fields).length === 0 && !holdsWaiting(fields)) throw error;
    findings.push({
      code: 'config/entry',
      message: 'this entry needs all of its key fields to be identified',
      path: [],
    });
    return [];
  }
  const units: Resource[] = rows.map((unit) => ({
    address: addressOf(parent?.address, kind.section, namesOf(kind, unit)),
    kind: kind.name,
    ...(parent ? { parent: parent.address } : {}),
    fields: unit,
    meta: { ...meta },
    index: block.index,
    at: block.position,
  }));
  findings.push(...units.flatMap((unit) => holesInNames(block, unit.fields)));
  if (kind.shape.byAddress) {
    // Told by content, so that it does not change with the order of the file.
    const group = units.map(({ address }) => address).sort()[0];
    for (const unit of units) unit.group = group;
  }
  for (const unit of was ? units : []) {
    const old = oldNames(block, unit.fields, was!.name);
    const address = old && addressOf(parent?.address, kind.section, old);
    if (!address || address === unit.address)
      findings.push({
        code: 'config/meta',
        message: address ? '`$was` is its current name' : '`$was` must name a sibling',
        hint: `write the names as in the address, joined by \`/\`: ${kind.key.join('/')}`,
        path: [],
        node: was!.node,
      });
    else unit.meta.was = address;
  }
  return units;
}

function oldNames(block: Block, fields: Fields, was: string): string[] | undefined {
  const { kind } = block;
  const field = kind.yaml.mapBy ?? (kind.key.length === 1 ? kind.key[0] : undefined);
  if (field === undefined) {
    const names = was.split('/').map(escapeName);
    return kind.key.length > 0 && names.length === kind.key.length ? names : undefined;
  }
  const normal = kind.fields[field]?.safeParse(was);
  const value = normal?.success ? (normal.data as string) : was;
  return kind.yaml.names ? namesOf(kind, { ...fields, [field]: value }) : keyNames(kind, was);
}

function notOfExisting({ kind, own }: Block, { meta }: ReadMeta): Finding[] {
  if (!meta.existing) return [];
  return own
    .filter(({ key }) => key.text !== kind.yaml.mapBy && !kind.key.includes(key.text))
    .map(({ key }) => ({
      code: 'config/existing-fields',
      message: `\`${key.text}\` cannot be set on a resource with \`$existing\``,
      hint: 'remove the field, or `$existing: true`',
      path: [key.text],
      node: key,
    }));
}

function toDiagnostic(finding: Finding, block: Block): Diagnostic {
  const node = nodeAt(block.own, finding);
  const related = [...(finding.related ?? []), ...valuePlace(node)];
  const details = {
    hint: isTextOfExpression(finding, node) ? typedInput : finding.hint,
    address: block.address,
    at: node ? positionOf(node.at) : block.position,
    ...(related.length > 0 ? { related } : {}),
  };
  return (finding.severity === 'warning' ? warning : problem)(finding.code, finding.message, details);
}

const typedInput =
  'values from a data file are text: use an input with `type: number` or `type: boolean` to convert them';

/** True for text that an expression brought, where something else is wanted. */
const isTextOfExpression = ({ code }: Finding, node: Node | undefined): boolean =>
  code === 'config/type' &&
  node?.type === 'scalar' &&
  typeof node.value === 'string' &&
  (node.literals?.some(({ source }) => /\.csv$/i.test(source.file)) ?? false);

/** The place in a data file that a value came from. */
function valuePlace(node: Node | undefined): NonNullable<Diagnostic['related']> {
  const from = node && dataPlaceOf(node);
  return from ? [{ message: 'the value', at: positionOf(from) }] : [];
}

const withoutAbsent = (fields: Fields): Fields =>
  Object.values(fields).includes(undefined as never)
    ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    : fields;

/** The node that a finding is about, or the nearest one around it. */
function nodeAt(entries: Entry[], { path, node, onKey }: Finding): Node | undefined {
  if (node) return node;
  let found: Node | undefined;
  let at: Node | undefined;
  path.forEach((step, i) => {
    const inside: Entry[] | undefined = i === 0 ? entries : at?.type === 'map' ? at.entries : undefined;
    const entry = inside?.find(({ key }) => key.text === step);
    if (i > 0 && !at) return;
    at = entry?.value ?? (at?.type === 'list' ? at.items[Number(step)] : undefined);
    if (entry && (onKey || entry.value.type === 'map')) found = entry.key;
    else if (at) found = at;
  });
  return found;
}

/** Names must be known now, and must not tell a secret. */
function holesInKey({ kind, own }: Block, fields: Fields): Finding[] {
  return [...new Set([...kind.key, ...(kind.yaml.mapBy ? [kind.yaml.mapBy] : [])])].flatMap(
    (name): Finding[] => {
      const value = fields[name];
      if (typeof value !== 'object') return [];
      const node = own.find(({ key }) => key.text === name)?.value;
      const hint = `\`${name}\` is part of the resource's address`;
      if (isSecret(value))
        return [
          { code: 'secret/in-name', message: 'a name cannot contain a secret', hint, path: [name], node },
        ];
      const schema = kind.fields[name];
      const isNamed = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
      if (isNamed || (holesIn(value).length === 0 && !holdsWaiting(value))) return [];
      return [
        { code: 'ref/in-name', message: 'a name can only contain variables', hint, path: [name], node },
      ];
    },
  );
}

/** The same, for names that a kind makes of more fields than its key: a probe tells which. */
function holesInNames({ kind, own }: Block, fields: Fields): Finding[] {
  const probe = 'e7d1probe';
  return Object.entries(fields).flatMap(([name, value]): Finding[] => {
    if (typeof value !== 'object') return [];
    const schema = comparedFields(kind)[name] ?? kind.fields[name];
    const isNamed = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
    if (
      isNamed ||
      kind.key.includes(name) ||
      !(isSecret(value) || holesIn(value).length > 0 || holdsWaiting(value))
    )
      return [];
    if (!namesOf(kind, { ...fields, [name]: probe }).some((name) => name.includes(probe))) return [];
    const node = own.find(({ key }) => key.text === name)?.value;
    const [code, message] = isSecret(value)
      ? ['secret/in-name', 'a name cannot contain a secret']
      : ['ref/in-name', 'a name can only contain variables'];
    return [
      { code, message, hint: `\`${name}\` is part of the resource's address`, path: [name], node },
    ] as Finding[];
  });
}
