import path from 'node:path';
import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { Scope } from '../expressions/scope.ts';
import { reasonOutOfReach, refusedEnv, secretShownByVariable } from '../sources/env-verdict.ts';
import { type Origin, type SourceRequest, secretEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import { entryOf, type MapNode, type Node, type ScalarNode, textOf } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** The origin of a secret, and the file that names it. Nothing is read before `resolveSecrets`. */
export type SecretSource = {
  at: Position;
  folder: string;
  /** The origin holds several secrets: this one is under a key. */
  pick?: SecretPick;
} & Origin;

/** A secret in a text with several: `NAME=value` lines, or a JSON object. */
export interface SecretPick {
  format: 'dotenv' | 'json';
  key: string;
}

export type ParsedSource = { origin: Origin; format?: SecretPick['format'] };

const sourceKeys = ['env', 'file', 'command', 'dotenv', 'json', 'sops'];

const multiSecretKeys = ['dotenv', 'json', 'sops'];

export interface SourceOptions {
  /** Expressions in the names of variables and files. */
  scope: Scope;
  /** Commands start here. */
  cwd: string;
}

/**
 * The source of a secret as it is written, for one key where it has several; else what is wrong: a problem, or words for one about the whole
 * declaration. Problems with expressions go into `diagnostics`.
 */
export function parseSecretSource(
  { name, value, key }: { name: ScalarNode; value: Node; key: string | undefined },
  { scope, cwd }: SourceOptions,
  diagnostics: Diagnostic[],
): ParsedSource | Diagnostic | string {
  if (value.type !== 'map')
    return 'a secret must be `{}`, or have one source: `{ env }`, `{ file }`, `{ command }`, `{ dotenv }`, `{ json }` or `{ sops }`';
  const { at } = name;
  const expand = expander(
    key === undefined ? scope : { ...scope, key: { type: 'scalar', at, text: key, value: key } },
    diagnostics,
  );
  const unknown = value.entries.find(
    (entry) => !sourceKeys.includes(entry.key.text) && entry.key.text !== 'format',
  );
  if (unknown)
    return problem('config/unknown-key', `a secret has no ${quoted(unknown.key.text)}`, {
      at: positionOf(unknown.key.at),
      hint: hintFor(unknown.key.text, [...sourceKeys, 'format']),
    });
  const format = formatNodeOf(value);
  if (format) return formattedSource(value, format, expand);
  const [entry, another] = value.entries;
  if (!entry) return { origin: { env: secretEnv(key === undefined ? name.text : `${name.text}_${key}`) } };
  if (another) return 'a secret can have only one source';
  const way = entry.key.text;
  if (!multiSecretKeys.includes(way)) {
    const origin = parseOrigin(way, entry.value, expand);
    return typeof origin === 'string' || 'code' in origin ? origin : { origin };
  }
  if (way === 'sops') {
    const file = textOf(expand(entry.value));
    if (file === undefined) return '`sops` must be the path of a file';
    // Decrypting may ask whatever the file names for its key: it is a command like any other, and has to be allowed.
    const place = path.relative(cwd, path.resolve(name.at.source.folder ?? cwd, file)) || file;
    return {
      origin: { command: ['sops', '--decrypt', '--output-type', 'json', place] },
      format: 'json',
    };
  }
  const inner = entry.value.type === 'map' ? entry.value : undefined;
  const [source, more] = inner?.entries ?? [];
  if (inner && !source) return { origin: { env: secretEnv(name.text) }, format: way as SecretPick['format'] };
  if (source && (more || !['env', 'file', 'command'].includes(source.key.text)))
    return `\`${way}\` must be the path of a file, or \`{}\`, \`{ env }\`, \`{ file }\` or \`{ command }\``;
  const origin = source
    ? parseOrigin(source.key.text, source.value, expand)
    : parseOrigin('file', entry.value, expand);
  if (typeof origin === 'string' || 'code' in origin) return origin;
  return { origin, format: way as SecretPick['format'] };
}

function formattedSource(value: MapNode, format: Node, expand: Expand): ParsedSource | Diagnostic | string {
  const text = format.type === 'scalar' ? format.text : '';
  if (text !== 'json' && text !== 'dotenv')
    return problem('secret/source', 'this `format` does not support several secrets', {
      at: positionOf(format.at),
      hint: 'use `json` or `dotenv`',
    });
  const [source, another] = value.entries.filter(({ key }) => key.text !== 'format');
  if (!source || another || !['env', 'file', 'command'].includes(source.key.text))
    return 'use `format` with one of `env`, `file` and `command`';
  const origin = parseOrigin(source.key.text, source.value, expand);
  return typeof origin === 'string' || 'code' in origin ? origin : { origin, format: text };
}

/** The source under `format`: `{ command: [...], format: json }` is `{ json: { command: [...] } }`. */
const formatNodeOf = (value: Node): Node | undefined =>
  value.type === 'map' ? entryOf(value, 'format')?.value : undefined;

/** True if a secret has several keys: its source holds several, or says where each is. */
export function hasSeveralKeys(value: Node): boolean {
  if (formatNodeOf(value)) return true;
  const [entry] = value.type === 'map' ? value.entries : [];
  return entry !== undefined && (multiSecretKeys.includes(entry.key.text) || namesKey(entry.value));
}

export const isDefaultSource = (value: Node): boolean => value.type === 'map' && value.entries.length === 0;

export const namesKey = (node: Node): boolean =>
  node.type === 'list'
    ? node.items.some(namesKey)
    : node.type === 'scalar' &&
      parseExpressions(node.text).some(
        (expression) =>
          typeof expression === 'object' && 'steps' in expression && expression.steps[0]!.name === 'key',
      );

function parseOrigin(way: string, value: Node, expand: Expand): Origin | Diagnostic | string {
  const texts = (value.type === 'list' ? value.items : [value]).map((item) => textOf(expand(item)));
  if (texts.length === 0 || !texts.every((text) => text !== undefined)) return `\`${way}\` must be text`;
  if (way === 'command')
    return value.type === 'list'
      ? { command: texts }
      : problem('secret/command', '`command` must be a list: the program and its arguments', {
          at: positionOf(value.at),
          hint: 'command: [op, read, "op://vault/item"]; no shell is involved',
        });
  if (value.type === 'list') return `\`${way}\` must be one name`;
  if (way === 'file') return { file: texts[0]! };
  const why = reasonOutOfReach(texts[0]!, 'secret');
  return why === undefined ? { env: texts[0]! } : refusedEnv(value, why);
}

/** The environment variables that the sections read as they are written, in capitals: no variable may show them. */
export const secretEnvs = (sections: Node[]): Set<string> =>
  new Set(
    sections
      .flatMap((section) => (section.type === 'map' ? section.entries : []))
      .flatMap(({ value }) => {
        const json = value.type === 'map' ? entryOf(value, 'json')?.value : undefined;
        return [value, json].flatMap((node) => {
          const env = node?.type === 'map' ? entryOf(node as MapNode, 'env')?.value : undefined;
          return env?.type === 'scalar' ? [env.text.trim().toUpperCase()] : [];
        });
      }),
  );

/** Reports secrets that read what a variable shows, which is known only once variables have their values. */
export function checkShownSecrets(
  variables: SourceRequest[],
  secrets: Map<string, SecretSource>,
): Diagnostic[] {
  const envs = new Set(
    [...secrets.values()].flatMap((secret) => ('env' in secret ? [secret.env.trim().toUpperCase()] : [])),
  );
  return variables.flatMap(({ origin, at }) =>
    'env' in origin && envs.has(origin.env.trim().toUpperCase())
      ? [secretShownByVariable(origin.env, at)]
      : [],
  );
}
