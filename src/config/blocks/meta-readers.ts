import path from 'node:path';
import type { Kind } from '../../kind/kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { isStackName } from '../../model/ledger.ts';
import { longestWait, type Meta, permissions } from '../../model/resource.ts';
import type { Finding } from '../fields/reading.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describe,
  type Entry,
  entryOf,
  isPoisoned,
  maskNode,
  type Node,
  type ScalarNode,
  textOf,
} from '../yaml/nodes.ts';

/** The sections in a block, and those of them whose order decides. */
export interface Children {
  sections: string[];
  inOrder: string[];
}

type SettingContext = Children & { kind: Kind };

/** Reads and checks the `$` keys of a block. */
export function readMeta(kind: Kind, entries: Entry[], { sections, inOrder }: Children): ReadMeta {
  const read: ReadMeta = { meta: {}, dependsOn: [], findings: [] };
  for (const { key, value } of entries) {
    const reader = Object.hasOwn(metaReaders, key.text) ? metaReaders[key.text] : undefined;
    if (!reader) {
      maskNode(value);
      read.findings.push({
        code: 'config/unknown-key',
        message: `unknown key ${quoted(key.text)}; keys with $ are settings of the resource`,
        hint: hintFor(key.text, Object.keys(metaReaders)),
        path: [],
        node: key,
      });
    } else {
      // One that could not be made out was reported already.
      const wrong = isPoisoned(value) ? undefined : reader(value, read, { kind, sections, inOrder });
      if (wrong) {
        maskNode(value);
        read.findings.push({
          code: 'config/meta',
          message: `\`${key.text}\` ${wrong}, not ${describe(value)}`,
          path: [],
          node: value,
        });
      }
    }
  }
  read.findings.push(...contradictions(read.meta, entries));
  return read;
}

/** Reports `$` keys that contradict another one of the block. */
function contradictions({ existing, handover }: Meta, entries: Entry[]): Finding[] {
  const find = (keys: string[]) => entries.find(({ key }) => keys.includes(key.text));
  const report = (name: string, clash: Entry | undefined, hint: string): Finding[] =>
    clash
      ? [
          {
            code: 'config/meta',
            message: `\`${name}\` and \`${clash.key.text}\` contradict each other`,
            hint,
            path: [],
            node: clash.key,
          },
        ]
      : [];
  return [
    ...(existing
      ? report(
          '$existing',
          find(['$forget', '$from', '$handover', '$onRemove', '$replace']),
          'an object with `$existing` is never changed or deleted from here',
        )
      : []),
    ...(handover === undefined
      ? []
      : report(
          '$handover',
          find(['$forget']),
          '`$handover` waits for the other stack, `$forget` gives the object up at once: keep one of them',
        )),
  ];
}

/** The `$` keys of a block; names of other resources are still as they are written. */
export interface ReadMeta {
  meta: Omit<Meta, 'was' | 'dependsOn'>;
  was?: { name: string; node: Node };
  dependsOn: { name: string; node: Node }[];
  actions?: Node;
  findings: Finding[];
}

/** Reads one value into `read`; the answer says what it takes, if it is not that. */
type SettingReader = (node: Node, read: ReadMeta, context: SettingContext) => string | undefined;

const flagReader =
  (set: (meta: Meta, value: boolean) => void): SettingReader =>
  (node, { meta }) => {
    if (node.type !== 'scalar' || typeof node.value !== 'boolean') return 'must be true or false';
    if (node.value) set(meta, true);
    return undefined;
  };

const wordReader =
  (expected: string, set: (meta: Meta) => void): SettingReader =>
  (node, { meta }) => {
    if (node.type !== 'scalar' || node.text !== expected) return `can only be \`${expected}\``;
    set(meta);
    return undefined;
  };

/** A list of names that are known; `nameIn` picks the part of each that is looked up. */
const namesReader =
  (
    set: (meta: Meta, values: string[]) => void,
    validFor: (context: SettingContext) => string[],
    nameIn: (text: string) => string = (text) => text,
  ): SettingReader =>
  (node, { meta, findings }, context) => {
    const items = readTextList(node);
    if (!items) return 'must be a list of names';
    const valid = validFor(context);
    for (const { name, node } of items)
      if (!valid.includes(nameIn(name)))
        findings.push({
          code: 'config/meta',
          message: `unknown name ${quoted(name)}`,
          hint: hintFor(name, valid) ?? 'there is nothing to name here',
          path: [],
          node,
        });
    set(
      meta,
      items.map(({ name }) => name),
    );
    return undefined;
  };

/** The `$` keys. */
export const metaReaders: Record<string, SettingReader> = {
  $existing: flagReader((meta, value) => {
    meta.existing = value;
  }),
  $protect: flagReader((meta, value) => {
    meta.protect = value;
  }),
  $forget: flagReader((meta, value) => {
    meta.forget = value;
  }),
  $replace: wordReader('allow', (meta) => {
    meta.replace = 'allow';
  }),
  $onRemove: wordReader('delete', (meta) => {
    meta.onRemove = 'delete';
  }),
  $allow: namesReader(
    (meta, values) => {
      // Each once and in one order, so that the ledger has one form of it.
      meta.allow = permissions.filter((permission) => values.includes(permission));
    },
    () => [...permissions],
  ),
  $ignore: namesReader(
    (meta, values) => {
      meta.ignore = values;
    },
    ({ kind }) => Object.keys({ ...kind.fields, ...comparedFields(kind) }),
    (text) => text.split('.')[0]!,
  ),
  $exclusive: namesReader(
    (meta, values) => {
      meta.exclusive = values;
    },
    ({ sections }) => sections,
  ),
  $was: (node, read) => {
    const name = textOf(node);
    if (name === undefined) return 'must be the old name';
    read.was = { name, node };
    return undefined;
  },
  $from: (node, { meta }) => {
    const name = textOf(node);
    if (name === undefined || !isStackName(name)) return 'must be the name of the stack that had it';
    meta.from = name;
    return undefined;
  },
  $handover: (node, { meta }) => {
    const name = textOf(node);
    if (name === undefined || !isStackName(name)) return 'must be the name of the stack that takes it over';
    meta.handover = name;
    return undefined;
  },
  $dependsOn: (node, read) => {
    const items = readTextList(node);
    if (!items) return 'must be a list of addresses';
    read.dependsOn = items;
    return undefined;
  },
  $id: (node, { meta }) => {
    meta.id = textOf(node);
    return meta.id === undefined ? 'must be an id, as a string' : undefined;
  },
  $secretTo: (node, { meta, findings }, { kind }) => {
    if (!kind.shows) {
      const message = `\`$secretTo\` is for kinds that show a secret once; a ${kind.name} has none`;
      findings.push({ code: 'config/meta', message, hint: 'remove it', path: [], node });
      return undefined;
    }
    if (textOf(node) === 'discard') {
      meta.secretTo = 'discard';
      return undefined;
    }
    const variable = node.type === 'map' ? entryOf(node, 'variable') : undefined;
    if (variable) {
      const address = textOf(variable.value);
      // What else stands there is about the variable: see `secret-variables.ts`.
      if (address === undefined) return 'must name a variable, such as `projects/web/env/NAME`';
      meta.secretTo = { variable: address };
      return undefined;
    }
    const [entry, more] = node.type === 'map' ? node.entries : [];
    if (!entry || more) return 'must be `{ variable }`, `{ file }`, `{ command }` or `discard`';
    const file = entry.key.text === 'file' ? textOf(entry.value) : undefined;
    const command =
      entry.key.text === 'command' && entry.value.type === 'list' ? readTextList(entry.value) : undefined;
    if (file !== undefined && isBelowWorkingDirectory(file)) meta.secretTo = { file };
    else if (command && command.length > 0) meta.secretTo = { command: command.map(({ name }) => name) };
    else if (file !== undefined) return 'must be a file inside the working directory';
    else return 'must be `{ file: path }` or `{ command: [program, arguments] }`';
    return undefined;
  },
  $position: (node, { meta, findings }, { kind, inOrder }) => {
    if (inOrder.length === 0) {
      const message = `\`$position\` is for blocks with an ordered list; a ${kind.name} has none`;
      findings.push({ code: 'config/meta', message, hint: 'remove it', path: [], node });
      return undefined;
    }
    const text = textOf(node);
    if (text === 'first' || text === 'last') {
      meta.position = text;
      return undefined;
    }
    const [entry, more] = node.type === 'map' ? node.entries : [];
    const before = entry?.key.text === 'before' && !more ? textOf(entry.value) : undefined;
    if (before === undefined || !isStackName(before)) return 'must be `first`, `last` or `{ before: STACK }`';
    meta.position = { before };
    return undefined;
  },
  // It is read once the rest of the block is known.
  $then: (node, read) => {
    read.actions = node;
    return undefined;
  },
  $wait: (node, { meta, findings }, { kind }) => {
    if (!kind.read.later) {
      const message = `\`$wait\` is for kinds that take time to become ready; a ${kind.name} is ready at once`;
      findings.push({ code: 'config/meta', message, hint: 'remove it', path: [], node });
      return undefined;
    }
    const minutes = readMinutes(node);
    if (minutes === undefined) return `must be \`{ minutes: N }\`, a whole number from 1 to ${longestWait}`;
    meta.wait = minutes;
    return undefined;
  },
};

/** The number in `{ minutes: N }`. */
export function readMinutes(node: Node): number | undefined {
  const [entry, more] = node.type === 'map' ? node.entries : [];
  const isMinutes = entry?.key.text === 'minutes' && entry.value.type === 'scalar' && !more;
  const minutes = isMinutes ? (entry.value as ScalarNode).value : undefined;
  const isGood = typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1;
  return isGood && minutes <= longestWait ? minutes : undefined;
}

/** The texts of a list, each with its place; undefined if it is another thing. */
export function readTextList(node: Node): { name: string; node: Node }[] | undefined {
  const items = node.type === 'list' ? node.items : [];
  const texts = items.flatMap((item) => {
    const name = textOf(item);
    return name === undefined ? [] : [{ name, node: item }];
  });
  return node.type === 'list' && texts.length === items.length ? texts : undefined;
}

const isBelowWorkingDirectory = (file: string) =>
  !path.isAbsolute(file) && !path.normalize(file).startsWith('..');
