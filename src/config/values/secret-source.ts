import path from 'node:path';
import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { Scope } from '../expressions/scope.ts';
import { reasonNeverAllowed, refusedEnv, secretShownByVariable } from '../sources/env-verdict.ts';
import { type Origin, type SourceRequest, secretEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import { entryOf, type MapNode, type Node, type ScalarNode, textOf } from '../yaml/nodes.ts';
/** The origin of a secret, and the file that names it. Nothing is read before `resolveSecrets`. */
export type SecretSource = {
  at: Position;
  folder: string;
  /** Set if the origin contains several secrets: this one has a key. */
  pick?: SecretPick;
} & Origin;

/** One secret in a text with several: `NAME=value` lines, or a JSON object. */
export interface SecretPick {
  format: 'dotenv' | 'json';
  key: string;
}

/** The origin in the declaration of a secret, and the format of its text if that contains several secrets. */
export type ParsedSource = { origin: Origin; format?: SecretPick['format'] };

const sourceKeys = ['env', 'file', 'command', 'dotenv', 'json', 'sops'];

const multiSecretKeys = ['dotenv', 'json', 'sops'];

/** What parsing declarations of secrets needs. */
export interface SourceOptions {
  /** The scope of expressions in the names of environment variables and files. */
  scope: Scope;
  /** The folder in which commands start. */
  cwd: string;
}

/**
 * Parses the declaration of a secret, for one key if it has several. Returns the source, or a problem, or a message for a problem with the
 * whole declaration. Problems with expressions go to `diagnostics`.
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
      at: unknown.key,
      hint: hintFor(unknown.key.text, [...sourceKeys, 'format']),
    });
  const format = formatNodeOf(value);
  if (format) return formattedSource(value, format, expand);
  const [entry, another] = value.entries;
  if (!entry) return { origin: { env: secretEnv(key === undefined ? name.text : `${name.text}_${key}`) } };
  if (another) return 'a secret can have only one source';
  const sourceKey = entry.key.text;
  if (!multiSecretKeys.includes(sourceKey)) {
    const origin = parseOrigin(sourceKey, entry.value, expand);
    return typeof origin === 'string' || 'code' in origin ? origin : { origin };
  }
  if (sourceKey === 'sops') {
    const file = textOf(expand(entry.value));
    if (file === undefined) return '`sops` must be the path of a file';
    // The file names the key services that `sops` contacts, so decrypting must be allowed like any other command.
    const relativePath = path.relative(cwd, path.resolve(name.at.source.folder ?? cwd, file)) || file;
    return {
      origin: { command: ['sops', '--decrypt', '--output-type', 'json', relativePath] },
      format: 'json',
    };
  }
  const inner = entry.value.type === 'map' ? entry.value : undefined;
  const [source, secondEntry] = inner?.entries ?? [];
  if (inner && !source)
    return { origin: { env: secretEnv(name.text) }, format: sourceKey as SecretPick['format'] };
  if (source && (secondEntry || !['env', 'file', 'command'].includes(source.key.text)))
    return `\`${sourceKey}\` must be the path of a file, or \`{}\`, \`{ env }\`, \`{ file }\` or \`{ command }\``;
  const origin = source
    ? parseOrigin(source.key.text, source.value, expand)
    : parseOrigin('file', entry.value, expand);
  if (typeof origin === 'string' || 'code' in origin) return origin;
  return { origin, format: sourceKey as SecretPick['format'] };
}

/** Parses a declaration with `format`: `{ command: [...], format: json }` means the same as `{ json: { command: [...] } }`. */
function formattedSource(value: MapNode, format: Node, expand: Expand): ParsedSource | Diagnostic | string {
  const text = format.type === 'scalar' ? format.text : '';
  if (text !== 'json' && text !== 'dotenv')
    return problem('secret/source', 'this `format` does not support several secrets', {
      at: format,
      hint: 'use `json` or `dotenv`',
    });
  const [source, secondSource] = value.entries.filter(({ key }) => key.text !== 'format');
  if (!source || secondSource || !['env', 'file', 'command'].includes(source.key.text))
    return 'use `format` with one of `env`, `file` and `command`';
  const origin = parseOrigin(source.key.text, source.value, expand);
  return typeof origin === 'string' || 'code' in origin ? origin : { origin, format: text };
}

/** Returns the value of `format` in the declaration of a secret. */
const formatNodeOf = (value: Node): Node | undefined =>
  value.type === 'map' ? entryOf(value, 'format')?.value : undefined;

/** True if a secret has several keys: its source contains several secrets, or names the key with `${key}`. */
export function hasSeveralKeys(value: Node): boolean {
  if (formatNodeOf(value)) return true;
  const [entry] = value.type === 'map' ? value.entries : [];
  return entry !== undefined && (multiSecretKeys.includes(entry.key.text) || hasKeyExpression(entry.value));
}

/** True for `{}`: the secret comes from `TRUEUP_SECRET_name`. */
export const isDefaultSource = (value: Node): boolean => value.type === 'map' && value.entries.length === 0;

/** True if a source contains `${key}`. */
export const hasKeyExpression = (node: Node): boolean =>
  node.type === 'list'
    ? node.items.some(hasKeyExpression)
    : node.type === 'scalar' &&
      parseExpressions(node.text).some(
        (expression) =>
          typeof expression === 'object' && 'steps' in expression && expression.steps[0]!.name === 'key',
      );

/**
 * Parses the value of `env`, `file` or `command`. Returns a problem or a message if it has the wrong form, or names an environment
 * variable that secrets may not come from.
 */
function parseOrigin(sourceKey: string, value: Node, expand: Expand): Origin | Diagnostic | string {
  const texts = (value.type === 'list' ? value.items : [value]).map((item) => textOf(expand(item)));
  if (texts.length === 0 || !texts.every((text) => text !== undefined))
    return `\`${sourceKey}\` must be text`;
  if (sourceKey === 'command')
    return value.type === 'list'
      ? { command: texts }
      : problem('secret/command', '`command` must be a list: the program and its arguments', {
          at: value,
          hint: 'command: [op, read, "op://vault/item"]; no shell is involved',
        });
  if (value.type === 'list') return `\`${sourceKey}\` must be one name`;
  if (sourceKey === 'file') return { file: texts[0]! };
  const reason = reasonNeverAllowed(texts[0]!, 'secret');
  return reason === undefined ? { env: texts[0]! } : refusedEnv(value, reason);
}

/** Returns the environment variables that the sections read as they are written, in upper case: no variable may show them. */
export const findSecretEnvNames = (sections: Node[]): Set<string> =>
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

/**
 * Reports variables that show an environment variable that a secret is read from. This is possible only after variables have values,
 * because they can be part of the names.
 */
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
