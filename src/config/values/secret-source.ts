/**
 * Parses the declaration of one secret under `secrets:`, such as `{ env: DATABASE_URL }`, into its source. `secrets.ts` defines family.
 */
import path from 'node:path';
import { type Diagnostic, type Position, problem, type Reporter } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { ExpressionScope } from '../expressions/scope.ts';
import { type Origin, reasonNeverAllowed, refusedEnv, secretEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  entriesOf,
  hasReportedProblem,
  itemsOrSelf,
  type MapNode,
  memberOf,
  type Node,
  type ScalarNode,
  textNode,
  textOf,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** Where a secret comes from, and the place of its declaration. `resolveSecrets` reads it. */
export type SecretSource = {
  at: Position;
  /** The folder of the file with the declaration: relative paths start there. */
  folder: string;
  /** Which of several secrets in the text it is. Absent: the text is the secret. */
  pick?: SecretPick;
} & Origin;

/** One secret in a text with several: `NAME=value` lines, or a JSON object. */
export interface SecretPick {
  format: 'dotenv' | 'json';
  key: string;
}

/** The origin that the declaration of a secret names. `format`: set if the text there contains several secrets. */
export type ParsedSource = { origin: Origin; format?: SecretPick['format'] };

/**
 * Why a declaration names no source: a problem with a part of it, a message about the whole, or `reported`. The caller has to report the
 * first two. `reported`: an expression without a value, or an unknown key, was reported already.
 */
export type SourceFault = Diagnostic | string | typeof reported;
export const reported = Symbol('reported');

/** True if parsing a declaration ended with a fault and not with a source. */
export const isFault = (parsed: ParsedSource | Origin | SourceFault): parsed is SourceFault =>
  typeof parsed !== 'object' || 'code' in parsed;

/** The keys that name where a text is read. The text is one secret, or with `format` it has several. */
const originKeys = ['env', 'file', 'command'];
/** The keys of sources whose text always has several secrets. */
const multiSecretKeys = ['dotenv', 'json', 'sops'];
const declarationKeys = [...originKeys, ...multiSecretKeys, 'format'];

/** How declarations of secrets are parsed. */
export interface SourceOptions {
  /** The scope of expressions in the names of environment variables and files, and in commands. */
  scope: ExpressionScope;
  /** The folder in which commands start. */
  cwd: string;
}

/**
 * Parses the declaration of a secret, such as `{ env: DATABASE_URL }`. Returns where the secret comes from, or a
 * fault. Reports problems with expressions and unknown keys itself; the caller has to report any other fault.
 * @param declaration.key for one secret of a family, its key: `eu` for `${secret.db[eu]}`. It is the value of `${key}`
 * in the source, so `{ env: "DB_${key | upper}" }` comes from `DB_EU`. A text with several secrets (`json`, `dotenv`,
 * `sops`) is one source for all keys: `Secrets.resolveMember` notes the key with which its part of the text is found later
 */
export function parseSecretSource(
  { name, value, key }: { name: ScalarNode; value: Node; key: string | undefined },
  { scope, cwd }: SourceOptions,
  report: Reporter,
): ParsedSource | SourceFault {
  if (value.type !== 'map')
    return 'a secret must be `{}`, or have one source: `{ env }`, `{ file }`, `{ command }`, `{ dotenv }`, `{ json }` or `{ sops }`';
  const { at } = name;
  const expand = expander(key === undefined ? scope : { ...scope, key: textNode(key, at) }, report);
  const unknownKeys = value.entries
    .map((entry) => entry.key)
    .filter(({ text }) => !declarationKeys.includes(text));
  for (const unknownKey of unknownKeys)
    report.error('config/unknown-key', `a secret has no ${quoted(unknownKey.text)}`, {
      at: unknownKey,
      hint: hintFor(unknownKey.text, declarationKeys),
    });
  if (unknownKeys.length > 0) return reported;
  const formatNode = memberOf(value, 'format');
  if (formatNode) return parseSourceWithFormat(value, formatNode, expand);
  const [entry, secondEntry] = value.entries;
  // `{}`: the default environment variable.
  if (!entry) return { origin: { env: secretEnv(key === undefined ? name.text : `${name.text}_${key}`) } };
  if (secondEntry) return 'a secret can have only one source';
  const sourceKey = entry.key.text;
  if (sourceKey === 'sops') return parseSopsSource(name, expand(entry.value), cwd);
  if (sourceKey === 'dotenv' || sourceKey === 'json')
    return parseMultiSecretSource(name, sourceKey, entry.value, expand);
  return withFormat(parseOrigin(sourceKey, entry.value, expand));
}

/**
 * Returns the source of a secret with `{ sops: FILE }`: the command that decrypts the file. SOPS files are
 * encrypted, so they can be committed. `node`: the path in the declaration, relative to the folder of the
 * configuration file; returns a fault if it is no text.
 */
function parseSopsSource(name: ScalarNode, node: Node, cwd: string): ParsedSource | SourceFault {
  const file = textOf(node);
  if (file === undefined) return hasReportedProblem(node) ? reported : '`sops` must be the path of a file';
  // The file names the key services that `sops` contacts, so decrypting must be allowed like any other command.
  const relativePath = path.relative(cwd, path.resolve(name.at.source.folder ?? cwd, file)) || file;
  return {
    origin: { command: ['sops', '--decrypt', '--output-type', 'json', relativePath] },
    format: 'json',
  };
}

/**
 * Parses the value of `dotenv` or `json` in the declaration of a secret with several keys, such as `db: {
 * json: db.json }` for `${secret.db[user]}`: the path of a file, a map with `env`, `file` or `command`, or
 * `{}` for the default environment variable. Returns where the text with all keys comes from, or a fault.
 */
function parseMultiSecretSource(
  name: ScalarNode,
  format: SecretPick['format'],
  value: Node,
  expand: Expand,
): ParsedSource | SourceFault {
  if (value.type !== 'map') return withFormat(parseOrigin('file', value, expand, format), format);
  const [origin, secondOrigin] = value.entries;
  if (!origin) return { origin: { env: secretEnv(name.text) }, format };
  if (secondOrigin || !originKeys.includes(origin.key.text))
    return `\`${format}\` must be the path of a file, or \`{}\`, \`{ env }\`, \`{ file }\` or \`{ command }\``;
  return withFormat(parseOrigin(origin.key.text, origin.value, expand), format);
}

/**
 * Parses a declaration of a secret with several keys that names its `format` beside its source: `{ command:
 * [...], format: json }` means the same as `{ json: { command: [...] } }`. Returns where the secret comes
 * from, or a fault: a problem with a part of the declaration, or a message about the whole.
 */
function parseSourceWithFormat(value: MapNode, formatNode: Node, expand: Expand): ParsedSource | SourceFault {
  const format = formatNode.type === 'scalar' ? formatNode.text : '';
  if (format !== 'json' && format !== 'dotenv')
    return problem('secret/source', 'this `format` does not support several secrets', {
      at: formatNode,
      hint: 'use `json` or `dotenv`',
    });
  const [origin, secondOrigin] = value.entries.filter(({ key }) => key.text !== 'format');
  if (!origin || secondOrigin || !originKeys.includes(origin.key.text))
    return 'use `format` with one of `env`, `file` and `command`';
  return withFormat(parseOrigin(origin.key.text, origin.value, expand), format);
}

/**
 * Returns the source of a secret with this parsed origin, such as a file. A fault instead of an origin is returned as
 * it is. `format`: how the secrets in the text are found later; absent if the whole text is one secret.
 */
const withFormat = (
  origin: Origin | SourceFault,
  format?: SecretPick['format'],
): ParsedSource | SourceFault => (isFault(origin) ? origin : { origin, format });

/**
 * True if a secret has several keys, so that each use must name one, as in `${secret.db[user]}`: its source is a text with several secrets
 * (JSON, dotenv), or the name of its source contains `${key}`. `value`: the declaration of the secret.
 */
export function hasSeveralKeys(value: Node): boolean {
  if (memberOf(value, 'format')) return true;
  const [entry] = entriesOf(value);
  return entry !== undefined && (multiSecretKeys.includes(entry.key.text) || hasKeyExpression(entry.value));
}

/** True for `{}`: the secret `db` comes from the environment variable `TRUEUP_SECRET_db`, and its key `eu` from `TRUEUP_SECRET_db_eu`. */
export const isDefaultSource = (value: Node): boolean => value.type === 'map' && value.entries.length === 0;

/**
 * True if the source of a secret contains `${key}`, such as the environment variable `DB_${key}`. Then each key has its own source, which
 * is known only when an expression requests the key: `${secret.db[user]}`.
 */
export function hasKeyExpression(node: Node): boolean {
  if (node.type === 'list') return node.items.some(hasKeyExpression);
  if (node.type !== 'scalar') return false;
  return parseExpressions(node.text).some(
    (part) => typeof part === 'object' && 'steps' in part && part.steps[0]!.name === 'key',
  );
}

/**
 * Parses the value of `env`, `file` or `command` in the declaration of a secret. The secret is read from
 * there later, if the operator allows it. Returns a message, or a problem with its place, if it has the wrong
 * form, or names an environment variable from which secrets may not come. `sourceKey`: which of the three it
 * is. `writtenKey`: the key in the YAML, for messages; it may be `json` for a file.
 */
function parseOrigin(
  sourceKey: string,
  value: Node,
  expand: Expand,
  writtenKey = sourceKey,
): Origin | SourceFault {
  const nodes = itemsOrSelf(value).map(expand);
  if (nodes.some(hasReportedProblem)) return reported;
  const texts = nodes.map(textOf);
  if (texts.length === 0 || !texts.every((text) => text !== undefined))
    return `\`${writtenKey}\` must be text`;
  if (sourceKey === 'command')
    return value.type === 'list'
      ? { command: texts }
      : problem('secret/command', '`command` must be a list: the program and its arguments', {
          at: value,
          hint: 'command: [op, read, "op://vault/item"]; no shell is involved',
        });
  if (value.type === 'list') return `\`${writtenKey}\` must be one name`;
  if (sourceKey === 'file') return { file: texts[0]! };
  const reason = reasonNeverAllowed(texts[0]!, 'secret');
  return reason === undefined ? { env: texts[0]! } : refusedEnv(value, reason);
}

/**
 * Returns a parsed source of a secret with the place of its declaration, so that the secret can be read
 * later, relative to the folder of its file. `key`: the name in the declaration.
 */
export const toSecretSource = ({ at }: ScalarNode, { origin }: ParsedSource): SecretSource => ({
  at: positionOf(at),
  folder: at.source.folder ?? '.',
  ...origin,
});
