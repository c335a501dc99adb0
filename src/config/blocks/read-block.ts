/**
 * Reads one block: its fields, its `$` settings and its references become resources.
 *
 * Terms:
 *
 *   block      an entry of a section; one block usually is one resource
 *   unit       a resource of a block; a kind may split a block into several (a variable with several targets, a list of records)
 *   hole       a value that is known only later, such as a secret or the id of an object that is still to be created
 *   pending    stands for a value from another block that was not read yet; see `BlockReader`, which reads such a block twice
 *   partial    a block with `$existing` or `$forget`: only the fields of its key are required
 */
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
import { type Finding, holdsPending, type Resolver } from '../fields/reading.ts';
import { dataSpotOf, type Entry, type Node } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { type Block, keyNames, type Link, type ReadBlock } from './block.ts';
import { type Children, type ReadMeta, readMeta } from './meta-readers.ts';
import type { ActionReader, ThenContext } from './read-then.ts';

/** What reading one block needs from the other blocks. */
export interface BlockContext {
  parentFields: Fields;
  children: Children;
  /** Returns the resolver for the references of this block, which adds them to `links`. It calls `wait` if a value is pending. */
  resolver(links: Link[], wait: () => void): Resolver;
  /** The input for `$then`; without it, `$then` is not read. */
  actionReader?: Pick<ThenContext, 'kinds' | 'sections' | 'matchDeclared'> & ActionReader;
  /** Returns the address that an item of `$dependsOn` means, or a finding if it means none; undefined if that cannot be decided yet. */
  dependsOn(name: string, finding: Omit<Finding, 'code' | 'message'>): Address | Finding | undefined;
}

/**
 * Reads a block: checks and normalizes its fields, checks its `$` settings, and creates its units. Problems become diagnostics of the
 * result. A block with an error has no units, so that nothing wrong is ever planned.
 */
export function readBlock(block: Block, context: BlockContext): ReadBlock {
  const { kind, fieldEntries } = block;
  const links: Link[] = [];
  let needsSecondReading = false;
  const meta = readMeta(kind, block.settingEntries, context.children);
  const isPartial = Boolean(meta.meta.existing || meta.meta.forget);
  const wait = () => {
    needsSecondReading = true;
  };
  const resolver = context.resolver(links, wait);
  const { fields, findings, copies, isPoisoned } = readFields(
    kind,
    fieldEntries,
    isPartial,
    context.parentFields,
    resolver,
  );
  findings.push(...meta.findings, ...checkExistingFields(block, meta));
  const { secretOf } = block;
  if (secretOf !== undefined) links.push({ to: secretOf, kind: '', at: block.position, type: 'ref' });
  const dependsOn = readDependencies(meta, { context, links, findings });
  const { actionReader } = context;
  // Actions run after all changes, so the references in their input must not order the changes: they go to no list of links.
  const actionResolver = context.resolver([], wait);
  const actions =
    meta.actions && actionReader
      ? actionReader.read(meta.actions, { block, resolver: actionResolver, ...actionReader }, findings)
      : [];
  findings.push(...checkKeyFields(block, fields), ...copies.flatMap((copy) => checkCopy(copy, block)));
  const result: ReadBlock = {
    block,
    fields,
    units: [],
    diagnostics: [],
    links,
    references: [],
    needsSecondReading,
  };
  if (!block.isInvalid && !isPoisoned && findings.every(({ severity }) => severity === 'warning')) {
    const complete: Meta = {
      ...meta.meta,
      ...(dependsOn.length > 0 ? { dependsOn } : {}),
      ...(actions.length > 0 ? { actions } : {}),
      ...secretOfVariable(block, fields),
    };
    result.units = createUnits(block, fields, complete, meta, context, findings);
    result.references = [
      ...result.units.flatMap(({ address }) => copies.map((copy) => toFieldReference(copy, address))),
      ...result.units.flatMap(shownReferences),
    ];
  }
  result.diagnostics = findings
    .filter(({ code }) => !(block.isInvalid && code === 'config/missing'))
    .map((finding) => toBlockDiagnostic(finding, block));
  return result;
}

/** Returns the addresses that `$dependsOn` means. Adds each of them to `links`, and names that mean nothing to `findings`. */
function readDependencies(
  { dependsOn }: ReadMeta,
  { context, links, findings }: { context: BlockContext; links: Link[]; findings: Finding[] },
): Address[] {
  const addresses: Address[] = [];
  for (const { name, node } of dependsOn) {
    const dependency = context.dependsOn(name, { path: [], node });
    if (typeof dependency === 'object') findings.push(dependency);
    else if (dependency !== undefined) {
      addresses.push(dependency);
      links.push({ to: dependency, kind: '', at: positionOf(node.at), type: 'ref' });
    }
  }
  return addresses;
}

/**
 * Returns a finding if a secret is copied to a field that is less secret. If the secrecy depends on a field that only the account has, the
 * plan decides it after that field was read.
 */
function checkCopy({ from, path, node, secrecy }: CopiedValue, { address }: Block): Finding[] {
  if (from.dependsOnMissingField || mayCopy(from.secrecy, secrecy)) return [];
  const { message, hint } = describeLeak(from, { address, field: path.join('.'), secrecy });
  return [
    { code: 'ref/secret', message, hint, path, node, related: [{ message: 'the secret', at: from.at }] },
  ];
}

/** Returns the reference that a copied value is, for the resource at `address` that takes it. */
const toFieldReference = (
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

/** Returns the setting for a variable that `$secretTo` declares: the object whose secret it gets, and the digest form of its value. */
function secretOfVariable({ secretOf: object }: Block, fields: Fields): Pick<Meta, 'secretOf'> {
  const [field] = object === undefined ? [] : Object.keys(shownIn(fields, object));
  return field === undefined
    ? {}
    : { secretOf: { object: object!, form: formOfSecret(fields[field]!, object!) } };
}

/** Creates the resources of a block. Adds a finding, and returns none, if the block lacks fields of its key. Sets `$was` of each unit. */
function createUnits(
  block: Block,
  fields: Fields,
  meta: Meta,
  { was }: ReadMeta,
  { parentFields }: BlockContext,
  findings: Finding[],
): Resource[] {
  const { kind, parent } = block;
  let rows: Fields[];
  try {
    rows = kind.shape.units(fields, parentFields).map(withoutAbsent);
  } catch (error) {
    // The fields were checked, so an error in the kind's code is a bug. Only missing or pending fields excuse it.
    if (!meta.existing && !meta.forget && holesIn(fields).length === 0 && !holdsPending(fields)) throw error;
    findings.push({
      code: 'config/entry',
      message: 'this entry needs all of its key fields to be identified',
      path: [],
    });
    return [];
  }
  const units: Resource[] = rows.map((row) => ({
    address: addressOf(parent?.address, kind.section, namesOf(kind, row)),
    kind: kind.name,
    parent: parent?.address,
    fields: row,
    meta: { ...meta },
    index: block.index,
    at: block.position,
  }));
  findings.push(...units.flatMap((unit) => checkNameFields(block, unit.fields)));
  if (kind.shape.byAddress) {
    // Named after its content, so that the group does not change with the order of the file.
    const group = units.map(({ address }) => address).sort()[0];
    for (const unit of units) unit.group = group;
  }
  for (const unit of was ? units : []) {
    const names = oldNames(block, unit.fields, was!.name);
    const oldAddress = names && addressOf(parent?.address, kind.section, names);
    if (!oldAddress || oldAddress === unit.address)
      findings.push({
        code: 'config/meta',
        message: oldAddress ? '`$was` is its current name' : '`$was` must name a sibling',
        hint: `write the names as in the address, joined by \`/\`: ${kind.key.join('/')}`,
        path: [],
        node: was!.node,
      });
    else unit.meta.was = oldAddress;
  }
  return units;
}

/**
 * Returns the names in the old address of a unit, from the text of `$was`; undefined if the text does not fit the kind. The text is the
 * old map key, or all names of the address, joined by `/`.
 */
function oldNames(block: Block, fields: Fields, was: string): string[] | undefined {
  const { kind } = block;
  const field = kind.yaml.mapBy ?? (kind.key.length === 1 ? kind.key[0] : undefined);
  if (field === undefined) {
    const names = was.split('/').map(escapeName);
    return kind.key.length > 0 && names.length === kind.key.length ? names : undefined;
  }
  const parsed = kind.fields[field]?.safeParse(was);
  const value = parsed?.success ? (parsed.data as string) : was;
  return kind.yaml.names ? namesOf(kind, { ...fields, [field]: value }) : keyNames(kind, was);
}

/** Returns a finding for each field of a block with `$existing` that is not part of its key: such an object is never changed from here. */
function checkExistingFields({ kind, fieldEntries }: Block, { meta }: ReadMeta): Finding[] {
  if (!meta.existing) return [];
  return fieldEntries
    .filter(({ key }) => key.text !== kind.yaml.mapBy && !kind.key.includes(key.text))
    .map(({ key }) => ({
      code: 'config/existing-fields',
      message: `\`${key.text}\` cannot be set on a resource with \`$existing\``,
      hint: 'remove the field, or `$existing: true`',
      path: [key.text],
      node: key,
    }));
}

/**
 * Converts a finding to a diagnostic, at the node that it is about. Text that an expression took from a CSV file gets a hint about types.
 */
function toBlockDiagnostic(finding: Finding, block: Block): Diagnostic {
  const node = nodeAt(block.fieldEntries, finding);
  const related = [...(finding.related ?? []), ...dataFileNote(node)];
  const details = {
    hint: isTextOfExpression(finding, node) ? typedInputHint : finding.hint,
    address: block.address,
    at: node ? positionOf(node.at) : block.position,
    related: related.length > 0 ? related : undefined,
  };
  return (finding.severity === 'warning' ? warning : problem)(finding.code, finding.message, details);
}

const typedInputHint =
  'values from a data file are text: use an input with `type: number` or `type: boolean` to convert them';

/** True if the finding is about the type of a text that an expression took from a CSV file, where all values are text. */
const isTextOfExpression = ({ code }: Finding, node: Node | undefined): boolean =>
  code === 'config/type' &&
  node?.type === 'scalar' &&
  typeof node.value === 'string' &&
  (node.literals?.some(({ source }) => /\.csv$/i.test(source.file)) ?? false);

/** Returns a note with the place in a data file that a value came from, since the diagnostic itself points at the expression. */
function dataFileNote(node: Node | undefined): NonNullable<Diagnostic['related']> {
  const from = node && dataSpotOf(node);
  return from ? [{ message: 'the value', at: positionOf(from) }] : [];
}

/** Returns the fields without undefined members. Most units have none, so the fields are then returned uncopied. */
const withoutAbsent = (fields: Fields): Fields =>
  Object.values(fields).includes(undefined as never)
    ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    : fields;

/** Returns the node that a finding is about, or the nearest one around it that exists. Used to point at the smallest part of the YAML. */
function nodeAt(entries: Entry[], { path, node, onKey }: Finding): Node | undefined {
  if (node) return node;
  let nearest: Node | undefined;
  let current: Node | undefined;
  path.forEach((step, i) => {
    const siblings: Entry[] | undefined =
      i === 0 ? entries : current?.type === 'map' ? current.entries : undefined;
    const entry = siblings?.find(({ key }) => key.text === step);
    if (i > 0 && !current) return;
    current = entry?.value ?? (current?.type === 'list' ? current.items[Number(step)] : undefined);
    if (entry && (onKey || entry.value.type === 'map')) nearest = entry.key;
    else if (current) nearest = current;
  });
  return nearest;
}

/**
 * Returns a finding for each field of the key with a secret, or a value that is not known now: both would go to the address. References to
 * objects are allowed, because their name is known.
 */
function checkKeyFields({ kind, fieldEntries }: Block, fields: Fields): Finding[] {
  return [...new Set([...kind.key, ...(kind.yaml.mapBy ? [kind.yaml.mapBy] : [])])].flatMap(
    (name): Finding[] => {
      const value = fields[name];
      if (typeof value !== 'object') return [];
      const node = fieldEntries.find(({ key }) => key.text === name)?.value;
      const hint = `\`${name}\` is part of the resource's address`;
      if (isSecret(value))
        return [
          { code: 'secret/in-name', message: 'a name cannot contain a secret', hint, path: [name], node },
        ];
      const schema = kind.fields[name];
      const isReferenceByName = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
      if (isReferenceByName || (holesIn(value).length === 0 && !holdsPending(value))) return [];
      return [
        { code: 'ref/in-name', message: 'a name can only contain variables', hint, path: [name], node },
      ];
    },
  );
}

/**
 * Like `checkKeyFields`, for the fields beside the key from which a kind makes names. A kind does not list them, so each candidate is
 * replaced by a probe: the field is part of the names if the probe is.
 */
function checkNameFields({ kind, fieldEntries }: Block, fields: Fields): Finding[] {
  const probe = 'e7d1probe';
  return Object.entries(fields).flatMap(([name, value]): Finding[] => {
    if (typeof value !== 'object') return [];
    const schema = comparedFields(kind)[name] ?? kind.fields[name];
    const isReferenceByName = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
    if (
      isReferenceByName ||
      kind.key.includes(name) ||
      !(isSecret(value) || holesIn(value).length > 0 || holdsPending(value))
    )
      return [];
    if (!namesOf(kind, { ...fields, [name]: probe }).some((name) => name.includes(probe))) return [];
    const node = fieldEntries.find(({ key }) => key.text === name)?.value;
    const [code, message] = isSecret(value)
      ? ['secret/in-name', 'a name cannot contain a secret']
      : ['ref/in-name', 'a name can only contain variables'];
    return [
      { code, message, hint: `\`${name}\` is part of the resource's address`, path: [name], node },
    ] as Finding[];
  });
}
