/** Reads the `$` settings of a block, such as `$protect` or `$was`. The table `metaReaders` has one reader for each. */
import path from 'node:path';
import type * as z from 'zod';
import { comparedFields, memberSchemasOf } from '../../kind/compare.ts';
import { ignorableFields, isPartOfAddress } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import { isStackName } from '../../model/ledger.ts';
import { formatRemoval } from '../../model/removal.ts';
import { longestWait, type Meta, permissions } from '../../model/resource.ts';
import { namesInPath } from '../../model/value.ts';
import type { FieldProblem } from '../fields/reading.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  containsReportedProblem,
  describeNodeType,
  type Entry,
  entriesOf,
  findMisfit,
  hasReportedProblem,
  itemsOf,
  maskNode,
  memberOf,
  type Node,
  type ScalarNode,
  textOf,
} from '../yaml/nodes.ts';
import type { Block } from './block.ts';

/** The kind of the block with a setting, and the kinds of the blocks in it. */
interface SettingContext {
  kind: Kind;
  children: readonly Kind[];
}

/**
 * Reads the `$` settings of a block, such as `$id` and `$wait`, which control how its objects are planned and applied.
 * Reports unknown settings, wrong values, settings without effect for this kind, and settings that contradict each
 * other. What refers to other resources (`$was`, `$dependsOn`) and `$then` are only stored here, to be resolved later.
 *
 * Each reader stores its value and returns the mistake in its form, or undefined if it is right. The value of an
 * unknown setting or of a wrong form is masked, because it may be a misplaced secret. `children`: the kinds of the
 * blocks in it, whose sections `$exclusive` may name.
 */
export function readMeta(
  { kind, address, settingEntries: entries }: Pick<Block, 'kind' | 'address' | 'settingEntries'>,
  children: readonly Kind[],
): ReadMeta {
  const read: ReadMeta = { meta: {}, dependsOn: [], fieldProblems: [] };
  for (const { key, value } of entries) {
    const reader = Object.hasOwn(metaReaders, key.text) ? metaReaders[key.text] : undefined;
    if (!reader) {
      maskNode(value);
      read.fieldProblems.push(unknownSettingProblem(key, address));
      continue;
    }
    // A value with an error that was reported already is skipped.
    const fault = hasReportedProblem(value) ? undefined : reader(value, read, { kind, children });
    if (fault === undefined || containsReportedProblem(value)) continue;
    maskNode(value);
    read.fieldProblems.push(
      formProblem(key, typeof fault === 'string' ? describeFault(fault, value) : fault),
    );
  }
  read.fieldProblems.push(...checkContradictions(read.meta, entries));
  return read;
}

/** Returns the field problem for a `$` key that is no setting. `address`: the block with the key. */
const unknownSettingProblem = (key: ScalarNode, address: Address): FieldProblem => ({
  code: 'config/unknown-key',
  message: `unknown key ${quoted(key.text)}; keys with $ are settings of the resource`,
  hint: hintForReplacedSetting(key.text, address) ?? hintFor(key.text, Object.keys(metaReaders)),
  path: [],
  node: key,
});

/** Returns the field problem for a `$` setting whose value has the wrong form: "`$ignore` must be a list of names, not a text". */
const formProblem = (key: ScalarNode, { expected, misfit, actual, names }: FormFault): FieldProblem => ({
  code: 'config/meta',
  message: `\`${key.text}\` ${expected}${actual}`,
  hint: names && `write \`${key.text}: [${names}]\``,
  path: [],
  node: misfit,
});

/**
 * Returns the hint for `$onRemove` and `$forget`, settings of earlier versions that an entry under `removed:` in the header has replaced;
 * undefined for other settings. The hint contains this entry for the object of the block. For `$onRemove` the entry has the next
 * apply delete the object, for `$forget` only stop managing it.
 */
function hintForReplacedSetting(setting: string, address: Address): string | undefined {
  if (setting !== '$onRemove' && setting !== '$forget') return undefined;
  const entry = formatRemoval({ address, deletes: setting === '$onRemove' });
  const time =
    setting === '$onRemove'
      ? 'remove it; when you remove the block'
      : 'remove the whole block, and in the same change';
  return `${time}, add this under \`removed:\` of the header: ${entry}`;
}

/**
 * A mistake in the form of a setting: the expected form ("must be a list of names"), the wrong node, and the end
 * of the message (", but this item is a map").
 */
interface FormFault {
  expected: string;
  misfit: Node;
  actual: string;
  /** For a list of names: the valid name that was written without a list. */
  names?: string | undefined;
}

/**
 * Returns the fault of a `$` setting whose whole value is wrong, for its report. The message does not say "not a map" about a map, because
 * several settings take a map, and then only its contents are wrong.
 */
const describeFault = (expected: string, value: Node): FormFault => ({
  expected,
  misfit: value,
  actual: value.type === 'map' ? '' : `, not ${describeNodeType(value)}`,
});

/**
 * Returns the fault of a value that is no list of names, for `$ignore`, `$allow` and `$exclusive`. For `$ignore: framework`, the hint shows
 * the list (`names`). Only a valid name may appear in it, because other text can be a secret.
 */
const describeNoNames = (node: Node, valid: readonly string[]): FormFault => ({
  expected: 'must be a list of names',
  ...findMisfit(node),
  names: valid.find((name) => name === textOf(node)),
});

/**
 * Returns a field problem for `$` settings of a block that contradict each other: `$existing`, for
 * example, would silently disable `$replace`, because objects with it are never changed or deleted. It
 * points at the first setting that `$existing` excludes. `entries`: all settings as they are written.
 */
function checkContradictions({ existing }: Meta, entries: Entry[]): FieldProblem[] {
  const excluded = ['$from', '$handover', '$replace'];
  const clash = existing ? entries.find(({ key }) => excluded.includes(key.text)) : undefined;
  if (!clash) return [];
  const message = `\`$existing\` and \`${clash.key.text}\` contradict each other`;
  const hint = 'an object with `$existing` is never changed or deleted from here';
  return [{ code: 'config/meta', message, hint, path: [], node: clash.key }];
}

/** The `$` settings of a block. Names of other resources are unresolved texts, because those may not be read yet. */
export interface ReadMeta {
  meta: Omit<Meta, 'was' | 'dependsOn'>;
  was?: { name: string; node: Node };
  dependsOn: { name: string; node: Node }[];
  actions?: Node;
  fieldProblems: FieldProblem[];
}

/**
 * Reads the value of one setting into `read`. If the value has the wrong form, returns what it must be ("must be true
 * or false"); for a list of texts with the item that is wrong.
 */
type SettingReader = (node: Node, read: ReadMeta, context: SettingContext) => string | FormFault | undefined;

/**
 * Returns the reader of a `$` setting that is true or false: `$existing` or `$protect`. The reader
 * stores true, since false is the same as a missing setting, and returns what the value must be if it is
 * neither.
 */
const flagReader =
  (name: 'existing' | 'protect'): SettingReader =>
  (node, { meta }) => {
    if (node.type !== 'scalar' || typeof node.value !== 'boolean') return 'must be true or false';
    if (node.value) meta[name] = true;
    return undefined;
  };

/**
 * Creates the reader of a `$` setting that names a stack, such as `$from` (take an object over from it). `description`: what this stack
 * does, for the message about a wrong value.
 */
const stackReader =
  (name: 'from' | 'handover', description: string): SettingReader =>
  (node, { meta }) => {
    const stack = textOf(node);
    if (stack === undefined || !isStackName(stack)) return `must be the name of the stack ${description}`;
    meta[name] = stack;
    return undefined;
  };

/** Adds a field problem that a setting has no effect for this kind. Returns undefined, because its form is not wrong. */
function reportUseless(node: Node, { fieldProblems }: ReadMeta, message: string): undefined {
  fieldProblems.push({ code: 'config/meta', message, hint: 'remove it', path: [], node });
}

/**
 * Creates the reader of a `$` setting whose value is a list of names, such as `$exclusive: [env]`. It
 * stores them with `set`, and reports names that are not among those that `validFor` returns.
 */
const namesReader =
  (
    set: (meta: Meta, values: string[]) => void,
    validFor: (context: SettingContext) => string[],
  ): SettingReader =>
  (node, { meta, fieldProblems }, context) => {
    const items = readTextList(node);
    const valid = validFor(context);
    if (!items) return describeNoNames(node, valid);
    for (const item of items)
      if (!valid.includes(item.name))
        fieldProblems.push({
          code: 'config/meta',
          message: `unknown name ${quoted(item.name)}`,
          hint: hintFor(item.name, valid) ?? 'there is nothing to name here',
          path: [],
          node: item.node,
        });
    set(
      meta,
      items.map(({ name }) => name),
    );
    return undefined;
  };

/** Returns why `$ignore` may not name a field, or a member of one, for the report; undefined if it may. */
function ignoreFaultOf(text: string, kind: Kind): string | undefined {
  const [name, ...members] = namesInPath(text) as [string, ...string[]];
  if (ignorableFields(kind).includes(name)) return memberFaultOf(members, name, comparedFields(kind)[name]!);
  if (isPartOfAddress(name, kind)) return `${quoted(name)} is part of the address, so it cannot be ignored`;
  return Object.hasOwn(kind.fields, name)
    ? `${quoted(name)} is not compared on its own, so it cannot be ignored`
    : `unknown name ${quoted(name)}`;
}

/**
 * Returns why `$ignore` may not name a member of a field, such as one of a value that is compared as a whole. `path`: the path to `schema`.
 */
function memberFaultOf(members: string[], path: string, schema: z.ZodType): string | undefined {
  const [member, ...inner] = members;
  if (member === undefined) return undefined;
  const memberSchema = traitsOf(schema).atomic ? undefined : memberSchemasOf(schema);
  if (!memberSchema) return `${quoted(path)} is compared as a whole, so no part of it can be ignored`;
  const next = memberSchema(member);
  return next
    ? memberFaultOf(inner, `${path}.${member}`, next)
    : `${quoted(path)} has no member ${quoted(member)}`;
}

/** The readers of all `$` settings, by their keys. */
export const metaReaders: Record<string, SettingReader> = {
  $existing: flagReader('existing'),
  $protect: flagReader('protect'),
  $replace: (node, { meta }) => {
    if (node.type !== 'scalar' || node.text !== 'allow') return 'can only be `allow`';
    meta.replace = 'allow';
    return undefined;
  },
  $allow: namesReader(
    (meta, values) => {
      // Without duplicates and in a fixed order, so that equal settings are equal in the ledger.
      meta.allow = permissions.filter((permission) => values.includes(permission));
    },
    () => [...permissions],
  ),
  $ignore: (node, read, context) => {
    const { meta, fieldProblems } = read;
    const items = readTextList(node);
    const compared = ignorableFields(context.kind);
    if (!items) return describeNoNames(node, compared);
    for (const { name, node } of items) {
      const fault = ignoreFaultOf(name, context.kind);
      if (fault !== undefined)
        fieldProblems.push({
          code: 'config/meta',
          message: fault,
          hint: hintFor(name, compared) ?? 'there is nothing to name here',
          path: [],
          node,
        });
    }
    meta.ignore = items.map(({ name }) => name);
    return undefined;
  },
  $exclusive: namesReader(
    (meta, values) => {
      meta.exclusive = values;
    },
    // Kinds that the platform cannot list are left out: their superfluous objects cannot be found.
    ({ children }) =>
      children.filter(({ read }) => read.endpoint !== undefined).map(({ section }) => section),
  ),
  $was: (node, read) => {
    const name = textOf(node);
    if (name === undefined) return 'must be the old name';
    read.was = { name, node };
    return undefined;
  },
  $from: stackReader('from', 'that had it'),
  $handover: stackReader('handover', 'that takes it over'),
  $dependsOn: (node, read) => {
    const items = readTextList(node);
    if (!items) return { expected: 'must be a list of addresses', ...findMisfit(node) };
    read.dependsOn = items;
    return undefined;
  },
  $id: (node, { meta }) => {
    meta.id = textOf(node);
    return meta.id === undefined ? 'must be an id, as a string' : undefined;
  },
  $secretTo: (node, read, { kind }) => {
    const { meta } = read;
    if (!kind.shows)
      return reportUseless(
        node,
        read,
        `\`$secretTo\` is for kinds that show a secret once; a ${kind.name} has none`,
      );
    if (textOf(node) === 'discard') {
      meta.secretTo = 'discard';
      return undefined;
    }
    const target = readSecretTarget(node);
    if (typeof target === 'string') return target;
    meta.secretTo = target;
    return undefined;
  },
  $position: (node, read, { kind, children }) => {
    const { meta } = read;
    if (!children.some(({ shape }) => shape.orderDecides))
      return reportUseless(
        node,
        read,
        `\`$position\` is for blocks with an ordered list; a ${kind.name} has none`,
      );
    const text = textOf(node);
    if (text === 'first' || text === 'last') {
      meta.position = text;
      return undefined;
    }
    const [entry, otherEntry] = entriesOf(node);
    const before = entry?.key.text === 'before' && !otherEntry ? textOf(entry.value) : undefined;
    if (before === undefined || !isStackName(before)) return 'must be `first`, `last` or `{ before: STACK }`';
    meta.position = { before };
    return undefined;
  },
  // Only stored here: `readThen` reads it after the fields of the block.
  $then: (node, read) => {
    read.actions = node;
    return undefined;
  },
  $wait: (node, read, { kind }) => {
    if (!kind.read.later)
      return reportUseless(
        node,
        read,
        `\`$wait\` is for kinds that take time to become ready; a ${kind.name} is ready at once`,
      );
    const minutes = readMinutes(node);
    if (minutes === undefined) return `must be \`{ minutes: N }\`, a whole number from 1 to ${longestWait}`;
    read.meta.wait = minutes;
    return undefined;
  },
};

/** Reads where a `$secretTo` with a map sends the secret; returns what it must be instead if the map has another form. */
function readSecretTarget(node: Node): Exclude<Meta['secretTo'], 'discard' | undefined> | string {
  const variable = memberOf(node, 'variable');
  // The other keys beside `variable` are fields of the variable, which `secret-variables.ts` reads.
  if (variable) {
    const address = textOf(variable);
    return address === undefined
      ? 'must name a variable, such as `projects/web/env/NAME`'
      : { variable: address };
  }
  const [entry, otherEntry] = entriesOf(node);
  if (!entry || otherEntry) return 'must be `{ variable }`, `{ file }`, `{ command }` or `discard`';
  const file = entry.key.text === 'file' ? textOf(entry.value) : undefined;
  if (file !== undefined)
    return isBelowWorkingDirectory(file) ? { file } : 'must be a file inside the working directory';
  const command = entry.key.text === 'command' ? readTextList(entry.value) : undefined;
  return command && command.length > 0
    ? { command: command.map(({ name }) => name) }
    : 'must be `{ file: path }` or `{ command: [program, arguments] }`';
}

/**
 * Returns the number in `{ minutes: N }`, the form of `$wait` and of `wait` in `$then`. `apply` waits this long for
 * an object to be ready or an action to finish. Returns undefined if the node has another form, or if the wait is
 * longer than allowed.
 */
export function readMinutes(node: Node): number | undefined {
  const [entry, more] = entriesOf(node);
  const isMinutes = entry?.key.text === 'minutes' && entry.value.type === 'scalar' && !more;
  const minutes = isMinutes ? (entry.value as ScalarNode).value : undefined;
  const isPositiveInteger = typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1;
  return isPositiveInteger && minutes <= longestWait ? minutes : undefined;
}

/**
 * Returns the texts of a list, each with its node for messages; undefined unless the node is a list of texts. Used for YAML keys that list
 * names, such as `when` in `$then`, `$allow` and `owns`.
 */
export function readTextList(node: Node): { name: string; node: Node }[] | undefined {
  const items = itemsOf(node);
  const texts = items.flatMap((item) => {
    const name = textOf(item);
    return name === undefined ? [] : [{ name, node: item }];
  });
  return node.type === 'list' && texts.length === items.length ? texts : undefined;
}

/** True if a path leads to no folder outside the working directory. `$secretTo` writes secrets only inside it. */
const isBelowWorkingDirectory = (file: string) =>
  !path.isAbsolute(file) && path.normalize(file).split(path.sep)[0] !== '..';
