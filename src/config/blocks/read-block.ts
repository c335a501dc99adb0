/**
 * Reads one block: its fields, its `$` settings and its references become resources.
 *
 * Terms:
 *
 *   block      an entry of a section; one block usually is one resource
 *   unit       a resource of a block; a kind may split a block into several (a variable with several targets, a list of records)
 *   hole       a value that is known only later, such as a secret or the id of an object that is still to be created
 *   pending    stands for a value from another block that is still unread; `BlockReader` reads a block with such a value twice
 *   partial    a block with `$existing`: only the fields of its key are required
 */
import type * as z from 'zod';
import { comparedFields } from '../../kind/compare.ts';
import { isPartOfAddress, isSingleton, namesOf } from '../../kind/define-kind.ts';
import { describeLeak, mayCopy } from '../../kind/disclosure.ts';
import type { Kind } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import { type Diagnostic, problem, warning } from '../../model/diagnostic.ts';
import { appendAll } from '../../model/graph.ts';
import type { ActionRule, FieldReference, Meta, Resource } from '../../model/resource.ts';
import { formOfSecret, shownIn } from '../../model/shown-secret.ts';
import { type Fields, holesIn, isRef, isSecret, pathOfNames, type Value } from '../../model/value.ts';
import { type CopiedValue, readFields } from '../fields/read-fields.ts';
import { type FieldProblem, holdsPending, type Resolver } from '../fields/reading.ts';
import { dataSpotOf, type Entry, entriesOf, itemsOf, type Node } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { type Block, keyNames, type Link, type LoadedBlock } from './block.ts';
import { type ReadMeta, readMeta } from './meta-readers.ts';
import type { ActionReader, ThenContext } from './read-then.ts';

/** The parts of the configuration outside a block that reading it needs. */
export interface BlockContext {
  parentFields: Fields;
  children: readonly Kind[];
  /** Returns the resolver for the references of this block, which adds them to `links`. It calls the function if a value is pending. */
  resolver(links: Link[], requestSecondReading: () => void): Resolver;
  /** The input for `$then`; without it, `$then` is not read. */
  actionReader?: Pick<ThenContext, 'kinds' | 'sections' | 'matchDeclared'> & ActionReader;
  /**
   * Returns the address that an item of `$dependsOn` means, or a field problem at `place` if it means none. Undefined if that cannot be
   * decided: in the first reading, or if a file or section that could not be read may declare it.
   */
  dependsOn(name: string, place: Pick<FieldProblem, 'path' | 'node'>): Address | FieldProblem | undefined;
}

/**
 * Reads a block, such as one project: checks its fields and `$` settings, and creates its units, the resources that a plan compares with
 * the account. A block with an error has no units, so that a wrong value is never planned. A block with values from other blocks is read
 * twice: the first time, the other blocks may be unread, so these values are pending and the result has `needsSecondReading`.
 */
export function readBlock(block: Block, context: BlockContext): LoadedBlock {
  const { kind, fieldEntries, secretOf } = block;
  const links: Link[] = [];
  let needsSecondReading = false;
  const requestSecondReading = () => {
    needsSecondReading = true;
  };
  const settings = readMeta(block, context.children);
  // An object with `$existing` is only referred to, so only the fields of its key are required.
  const isPartial = settings.meta.existing === true;
  const resolver = context.resolver(links, requestSecondReading);
  const content = readFields(kind, fieldEntries, isPartial, context.parentFields, resolver);
  // `copies`: the values that expressions take from secret or live fields of other resources.
  const { fields, copies } = content;
  const fieldProblems = [
    ...content.fieldProblems,
    ...settings.fieldProblems,
    ...checkExistingFields(block, settings),
  ];
  // A variable that `$secretTo` declares gets its value from the object with that setting.
  if (secretOf !== undefined) links.push({ to: secretOf, kind: '', at: positionOf(block.at), type: 'ref' });
  const dependsOn = readDependencies(settings, { context, links, fieldProblems });
  // Actions run after all changes, so the references in their input must not order the changes: they go to no list of links.
  const actionResolver = context.resolver([], requestSecondReading);
  const actions = readActions(block, settings, context, actionResolver, fieldProblems);
  appendAll(fieldProblems, checkKeyFields(block, fields));
  for (const copy of copies) appendAll(fieldProblems, checkCopy(copy, block));
  // A field problem without a severity is an error.
  const hasError = fieldProblems.some(({ severity }) => severity !== 'warning');
  const meta: Meta = {
    ...settings.meta,
    ...(dependsOn.length > 0 ? { dependsOn } : {}),
    ...(actions.length > 0 ? { actions } : {}),
  };
  const units =
    block.isInvalid || content.hasReportedProblem || hasError
      ? []
      : createUnits(block, fields, { ...settings, meta }, context, fieldProblems);
  const references = [
    ...units.flatMap(({ address }) => copies.map((copy) => toFieldReference(copy, address))),
    ...units.flatMap(shownReferences),
  ];
  const newProblems = fieldProblems.filter((fieldProblem) => !followsFromReported(fieldProblem, block));
  const diagnostics = newProblems.map((fieldProblem) => toBlockDiagnostic(fieldProblem, block));
  return { block, fields, units, diagnostics, links, references, needsSecondReading };
}

/**
 * True if a problem only follows from another one that was reported: a field is missing because its key is misspelled or a part of the
 * block could not be read, or a rule of the kind fails because it needs all fields. So one mistake has one message.
 */
function followsFromReported(
  { code, path }: FieldProblem,
  { isInvalid, misspelledFields = [] }: Block,
): boolean {
  if (code === 'config/missing')
    return isInvalid === true || (path.length === 1 && misspelledFields.includes(String(path[0])));
  return code === 'config/check' && misspelledFields.length > 0;
}

/**
 * Returns the actions in the `$then` of a block, which `apply` runs after changes of the block. None if the
 * caller only reads the configuration: then it has no `actionReader`. Adds problems to `fieldProblems`.
 */
function readActions(
  block: Block,
  { actions: then }: ReadMeta,
  { actionReader }: BlockContext,
  resolver: Resolver,
  fieldProblems: FieldProblem[],
): ActionRule[] {
  if (!then || !actionReader) return [];
  const { read, ...thenContext } = actionReader;
  return read(then, { block, resolver, ...thenContext }, fieldProblems);
}

/**
 * Returns the addresses that `$dependsOn` names, such as `projects/web`; `apply` changes these resources
 * first. Also adds each to `links`, so that a cycle is reported. A name without a declaration becomes one of
 * the `fieldProblems` of the block. A name that the first reading cannot look up yet is left to the second.
 */
function readDependencies(
  { dependsOn }: ReadMeta,
  { context, links, fieldProblems }: { context: BlockContext; links: Link[]; fieldProblems: FieldProblem[] },
): Address[] {
  const addresses: Address[] = [];
  for (const { name, node } of dependsOn) {
    const dependency = context.dependsOn(name, { path: [], node });
    if (typeof dependency === 'object') fieldProblems.push(dependency);
    else if (dependency !== undefined) {
      addresses.push(dependency);
      links.push({ to: dependency, kind: '', at: positionOf(node.at), type: 'ref' });
    }
  }
  return addresses;
}

/**
 * Returns a field problem if a reference copies a secret to a field whose value can be read
 * more openly than the source, such as a plain variable. Not if the secrecy depends on a field that only the
 * account has: the plan repeats the check when it has read that field.
 */
function checkCopy({ from, path, node, secrecy }: CopiedValue, { address }: Block): FieldProblem[] {
  if (from.dependsOnMissingField || mayCopy(from.secrecy, secrecy)) return [];
  const { message, hint } = describeLeak(from, { address, field: pathOfNames(path), secrecy });
  return [
    { code: 'ref/secret', message, hint, path, node, related: [{ message: 'the secret', at: from.at }] },
  ];
}

/**
 * Converts a value that was copied by `${...}` to a reference between the fields of two resources. The plan
 * repeats the check of `checkCopy` with the live fields of both, and lists where secrets come from.
 * `address`: the resource that takes the value; `path`: its field.
 */
const toFieldReference = (
  { from: { isLive, ...source }, path, node, secrecy }: CopiedValue,
  address: Address,
): FieldReference => ({
  source,
  target: { address, field: pathOfNames(path), secrecy, at: positionOf(node.at) },
  isLive,
});

/**
 * Returns the references from a variable to the secret that `$secretTo` of another block writes to it; none
 * for other resources. The plan treats them like copied values (`toFieldReference`). The secret counts as
 * write-only, because the platform shows it only once.
 */
const shownReferences = ({ address, at, fields, meta: { secretOf } }: Resource): FieldReference[] => {
  if (!secretOf) return [];
  const secrecy = 'write-only';
  // `field`: a field of the variable with the secret; `member`: its name in the answer that shows the secret.
  return Object.entries(shownIn(fields, secretOf.object)).map(([field, member]) => ({
    source: { address: secretOf.object, field: member, secrecy, dependsOnMissingField: false, at },
    target: { address, field, secrecy, at },
    isLive: false,
  }));
};

/**
 * Returns the setting `secretOf` of a variable that `$secretTo` in the block of another object declares;
 * empty for all other blocks. `apply` uses it to fill the variable when it creates that object and the
 * platform shows the secret. `form` describes the text around the secret, so that the plan notices when it
 * changes.
 */
function secretOfVariable({ secretOf: object }: Block, fields: Fields): Pick<Meta, 'secretOf'> {
  // The secret stands in one field of the variable: `readSecretVariable` puts it there.
  const [field] = object === undefined ? [] : Object.keys(shownIn(fields, object));
  return field === undefined
    ? {}
    : { secretOf: { object: object!, form: formOfSecret(fields[field]!, object!) } };
}

/**
 * Creates the units of a block: the single resources that a plan compares with objects of the account. Usually there is one, but a variable
 * for two targets has two. Returns none and adds a field problem if key fields are missing. Also adds the problems with names and with
 * `$was`. `was`: the text of `$was`, from which the old address of each unit is set. `parentFields`: the fields of the block around it.
 */
function createUnits(
  block: Block,
  fields: Fields,
  { meta, was }: { meta: Meta; was?: ReadMeta['was'] },
  { parentFields }: BlockContext,
  fieldProblems: FieldProblem[],
): Resource[] {
  const { kind } = block;
  const metaOfUnits: Meta = { ...meta, ...secretOfVariable(block, fields) };
  const fieldsOfUnits = splitFields(kind, fields, metaOfUnits, parentFields);
  if (!fieldsOfUnits) {
    const message = 'this entry needs all of its key fields to be identified';
    fieldProblems.push({ code: 'config/entry', message, path: [] });
    return [];
  }
  const units = fieldsOfUnits.map((unitFields) => toUnit(block, unitFields, metaOfUnits));
  for (const unit of units) appendAll(fieldProblems, checkNameFields(block, unit.fields));
  if (was) for (const unit of units) appendAll(fieldProblems, setOldAddress(unit, was, block));
  if (!kind.shape.byAddress) return units;
  // Units of one block are changed together. Their group is named after its content, so that it does not change with the order of the file.
  const group = units.map(({ address }) => address).sort()[0];
  return units.map((unit) => ({ ...unit, group }));
}

/**
 * Returns one unit of a block with these fields. Most blocks declare one resource; a block of a kind that splits its entries, such as a
 * variable with several targets, declares one for each, and these are its units.
 */
const toUnit = ({ kind, parent, index, at }: Block, fields: Fields, meta: Meta): Resource => ({
  address: addressOf(parent?.address, kind.section, namesOf(kind, fields)),
  kind: kind.name,
  parent: parent?.address,
  fields,
  meta: { ...meta },
  index,
  at: positionOf(at),
});

/**
 * Returns the fields of each single resource that a block declares: a variable for two targets has two.
 * Undefined if the kind cannot tell because fields are missing or not known before the run, as with
 * `$existing`, a secret or a reference. The fields were checked, so any other error in the code of the kind is a bug and is thrown.
 */
function splitFields(kind: Kind, fields: Fields, meta: Meta, parentFields: Fields): Fields[] | undefined {
  try {
    return kind.shape.units(fields, parentFields).map(withoutAbsent);
  } catch (error) {
    const mayLackFields = meta.existing || isDeterminedLater(fields);
    if (mayLackFields) return undefined;
    throw error;
  }
}

/**
 * True if a value contains one that only the plan or the run has (a hole), or one of a block that is not read yet (pending). `holesIn`
 * does not find the latter, because `pendingValue` is a joined text without a hole.
 */
const isDeterminedLater = (value: unknown): boolean => holesIn(value).length > 0 || holdsPending(value);

/**
 * Sets the old address of a resource from its `$was`, so that the plan finds the object there and renames it
 * instead of replacing it. Returns a field problem if the text names no other resource of the same parent. `unit`:
 * a resource of `block`.
 */
function setOldAddress(unit: Resource, was: NonNullable<ReadMeta['was']>, block: Block): FieldProblem[] {
  const { kind, parent } = block;
  const names = oldNames(block, unit.fields, was.name);
  const oldAddress = names && addressOf(parent?.address, kind.section, names);
  if (oldAddress && oldAddress !== unit.address) {
    unit.meta.was = oldAddress;
    return [];
  }
  return [
    {
      code: 'config/meta',
      message: oldAddress ? '`$was` is its current name' : '`$was` must name a sibling',
      hint: `write the names as in the address, joined by \`/\`: ${kind.key.join('/')}`,
      path: [],
      node: was.node,
    },
  ];
}

/**
 * Returns the names in the old address of a resource, from the text of its `$was`, which declares that it was
 * renamed. The text is the old map key (`$was: web-old`), or for kinds with several key fields all names of
 * the old address joined by `/`. Returns undefined if it does not fit the kind. `fields`: those of the
 * resource under its new name.
 */
function oldNames(block: Block, fields: Fields, was: string): string[] | undefined {
  const { kind } = block;
  const field = kind.yaml.mapBy ?? (kind.key.length === 1 ? kind.key[0] : undefined);
  if (field === undefined) {
    const names = was.split('/').map(escapeName);
    return !isSingleton(kind) && names.length === kind.key.length ? names : undefined;
  }
  if (!kind.yaml.names) return keyNames(kind, was);
  // The kind makes its names from several fields. The schema brings the old name into its normal form, as `keyNames` does.
  const parsed = kind.fields[field]?.safeParse(was);
  const value = parsed?.success ? (parsed.data as string) : was;
  return namesOf(kind, { ...fields, [field]: value });
}

/**
 * Returns a field problem for each field of a block with `$existing: true` that does not identify the object. Such an object must exist, is
 * only referred to and is never changed by `apply`, so the field would have no effect.
 */
function checkExistingFields({ kind, fieldEntries }: Block, { meta }: ReadMeta): FieldProblem[] {
  if (!meta.existing) return [];
  return fieldEntries
    .filter(({ key }) => key.text !== kind.yaml.mapBy && !identifiesUnits(kind, key.text))
    .map(({ key }) => ({
      code: 'config/existing-fields',
      message: `\`${key.text}\` cannot be set on a resource with \`$existing\``,
      hint: 'remove the field, or `$existing: true`',
      path: [key.text],
      node: key,
    }));
}

/**
 * True if a field of a block decides the addresses of its units (the single resources that it declares): a field of the key, the `target`
 * of a variable, or its `customEnvironmentIds` (one unit for each). A block with `$existing` may only have such fields.
 */
function identifiesUnits(kind: Kind, field: string): boolean {
  if (isPartOfAddress(field, kind)) return true;
  const { addressFields, fields: unitFields } = kind.shape;
  const isSplitIntoUnits = addressFields.length > 0 && unitFields !== undefined;
  // The units have other fields than the block. A field that they lack, such as `customEnvironmentIds`, decides which units there are.
  return isSplitIntoUnits && !(field in unitFields);
}

/**
 * Converts a field problem to a diagnostic for the user, at the exact node in the YAML, or
 * at the block if there is none. If an expression took the value from a CSV file, in which everything is
 * text, the hint explains how to get numbers and booleans.
 */
function toBlockDiagnostic(fieldProblem: FieldProblem, block: Block): Diagnostic {
  const node = nodeAt(block.fieldEntries, fieldProblem);
  const related = [...(fieldProblem.related ?? []), ...dataFileNote(node)];
  const details = {
    hint: isTypeProblemOfCsvText(fieldProblem, node) ? typedInputHint : fieldProblem.hint,
    address: block.address,
    at: node?.at ?? block.at,
    related: related.length > 0 ? related : undefined,
  };
  return (fieldProblem.severity === 'warning' ? warning : problem)(
    fieldProblem.code,
    fieldProblem.message,
    details,
  );
}

const typedInputHint =
  'values from a data file are text: use an input with `type: number` or `type: boolean` to convert them';

/**
 * True if the field problem complains about the type of a text that an expression took from a CSV file. All values of such a file are text,
 * so the message needs another hint than the usual one of the field.
 */
const isTypeProblemOfCsvText = ({ code }: FieldProblem, node: Node | undefined): boolean =>
  code === 'config/type' &&
  node?.type === 'scalar' &&
  typeof node.value === 'string' &&
  (node.literals?.some(({ source }) => /\.csv$/i.test(source.file)) ?? false);

/** Returns a note with the place in a data file that a value came from, since the diagnostic itself points at the expression. */
function dataFileNote(node: Node | undefined): NonNullable<Diagnostic['related']> {
  const from = node && dataSpotOf(node);
  return from ? [{ message: 'the value', at: positionOf(from) }] : [];
}

/**
 * Returns the fields of a unit (a single resource of a block) without undefined members, so that the plan does not compare them. Most
 * units have none, so the fields are then returned uncopied.
 */
const withoutAbsent = (fields: Fields): Fields =>
  Object.values(fields).includes(undefined as never)
    ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    : fields;

/**
 * Returns the node to which a field problem points, so that its message names the exact
 * place: the node that it names, or the deepest node of its path that is written. Defaults are not written,
 * so it may be the field around them, or undefined if not even the field is written. With `onKey`, and for
 * maps, the key of an entry is preferred to its value.
 */
function nodeAt(entries: Entry[], { path, node, onKey }: FieldProblem): Node | undefined {
  if (node) return node;
  let nearest: Node | undefined;
  // The content of the node that the path has reached: its entries if it is a map, its items if it is a list.
  let siblings: Entry[] = entries;
  let items: Node[] = [];
  for (const step of path) {
    // A step is a key of a map or an index of a list.
    const entry = siblings.find(({ key }) => key.text === step);
    const stepNode = entry?.value ?? items[Number(step)];
    if (!stepNode) break;
    const prefersKey = onKey || stepNode.type === 'map';
    nearest = entry && prefersKey ? entry.key : stepNode;
    siblings = entriesOf(stepNode);
    items = itemsOf(stepNode);
  }
  return nearest;
}

/**
 * Returns a field problem for each field of the key whose value is a secret or is determined later. The address consists of
 * these fields, and it must be printable and known before anything is read from the account.
 */
function checkKeyFields({ kind, fieldEntries }: Block, fields: Fields): FieldProblem[] {
  const names = new Set(kind.yaml.mapBy ? [...kind.key, kind.yaml.mapBy] : kind.key);
  return [...names].flatMap((name) => checkNameValue(name, fields[name], kind.fields[name], fieldEntries));
}

/**
 * Returns field problems about fields from which a kind makes names although they are not its key fields, if their
 * values are secrets or known only later: an address must be known before anything is read from the account.
 * A kind does not list these fields, so a probe text is put into each candidate. The field is part of the
 * names if the probe appears in them.
 */
function checkNameFields({ kind, fieldEntries }: Block, fields: Fields): FieldProblem[] {
  const probe = 'e7d1probe';
  return Object.keys(fields).flatMap((name) => {
    const value = fields[name];
    if (kind.key.includes(name) || typeof value !== 'object') return [];
    const schema = comparedFields(kind)[name] ?? kind.fields[name];
    // Only fields with such a value need the probe.
    const fieldProblems = checkNameValue(name, value, schema, fieldEntries);
    if (fieldProblems.length === 0) return [];
    const probedNames = namesOf(kind, { ...fields, [name]: probe });
    return probedNames.some((probedName) => probedName.includes(probe)) ? fieldProblems : [];
  });
}

/**
 * Returns a field problem if the value of a field cannot be part of an address because it is a secret or is known
 * only later. A reference to an object is allowed if the field takes the object's name, because that name is
 * written in the configuration. `schema`: that of the field. `entries`: the block as it is written, for the
 * place.
 */
function checkNameValue(
  field: string,
  value: Value | undefined,
  schema: z.ZodType | undefined,
  entries: Entry[],
): FieldProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  const isReferenceByName = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
  const isKnown = isReferenceByName || !isDeterminedLater(value);
  if (isKnown && !isSecret(value)) return [];
  const details = {
    hint: `\`${field}\` is part of the resource's address`,
    path: [field],
    node: entries.find(({ key }) => key.text === field)?.value,
  };
  if (isSecret(value))
    return [{ code: 'secret/in-name', message: 'a name cannot contain a secret', ...details }];
  return [{ code: 'ref/in-name', message: 'a name can only contain variables', ...details }];
}
