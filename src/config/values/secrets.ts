/**
 * Reads `secrets:`.
 *
 *   family   a declared secret with several keys: `${secret.db[eu]}` and `${secret.db[us]}` are secrets of the family `db`
 */
import path from 'node:path';
import { type Diagnostic, type Position, problem, Reporter } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { DeclaredSecretNames, ExpressionScope } from '../expressions/scope.ts';
import {
  ambiguousEnv,
  type Origin,
  originText,
  reasonNeverAllowed,
  refusedEnv,
  type SourceRequest,
  secretEnv,
  secretShownByVariable,
} from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  type ExpressionNode,
  entriesOf,
  hasReportedProblem,
  itemsOrSelf,
  type MapNode,
  mapChildren,
  mapNode,
  maskNode,
  memberOf,
  type Node,
  nowhere,
  type ScalarNode,
  textNode,
  textOf,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { duplicateDeclaration } from './variables.ts';

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
type ParsedSource = { origin: Origin; format?: SecretPick['format'] };

const sourceKeys = ['env', 'file', 'command', 'dotenv', 'json', 'sops'];

/**
 * Why a declaration names no source: a problem with a part of it, a message about the whole, or `reported` if
 * an expression in it has no value and that was reported.
 */
type SourceFault = Diagnostic | string | typeof reported;
const reported = Symbol('reported');

/** True if parsing a declaration ended with a fault and not with a source. */
const isFault = (parsed: ParsedSource | Origin | SourceFault): parsed is SourceFault =>
  typeof parsed !== 'object' || 'code' in parsed;

/** The keys of sources with several secrets. */
const multiSecretKeys = ['dotenv', 'json', 'sops'];
const originKeys = ['env', 'file', 'command'];

/** How declarations of secrets are parsed. */
interface SourceOptions {
  /** The scope of expressions in the names of environment variables and files, and in commands. */
  scope: ExpressionScope;
  /** The folder in which commands start. */
  cwd: string;
}

/**
 * Parses the declaration of a secret, such as `{ env: DATABASE_URL }`. Returns where the secret comes from, or a
 * fault. Problems with expressions go to `report`.
 * @param declaration.key for one secret of a family, its key: `eu` for `${secret.db[eu]}`. It is the value of `${key}`
 * in the source, so `{ env: "DB_${key | upper}" }` comes from `DB_EU`. A text with several secrets (`json`, `dotenv`,
 * `sops`) is one source for all keys: `Secrets.member` notes the key with which its part of the text is found later
 */
function parseSecretSource(
  { name, value, key }: { name: ScalarNode; value: Node; key: string | undefined },
  { scope, cwd }: SourceOptions,
  report: Reporter,
): ParsedSource | SourceFault {
  if (value.type !== 'map')
    return 'a secret must be `{}`, or have one source: `{ env }`, `{ file }`, `{ command }`, `{ dotenv }`, `{ json }` or `{ sops }`';
  const { at } = name;
  const expand = expander(key === undefined ? scope : { ...scope, key: textNode(key, at) }, report);
  const unknownEntry = value.entries.find(
    (entry) => !sourceKeys.includes(entry.key.text) && entry.key.text !== 'format',
  );
  if (unknownEntry)
    return problem('config/unknown-key', `a secret has no ${quoted(unknownEntry.key.text)}`, {
      at: unknownEntry.key,
      hint: hintFor(unknownEntry.key.text, [...sourceKeys, 'format']),
    });
  const formatNode = memberOf(value, 'format');
  if (formatNode) return parseSourceWithFormat(value, formatNode, expand);
  const [entry, secondEntry] = value.entries;
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
 * True if a secret has several keys, so that each use must name one, as in `${secret.db[user]}`: its source
 * is a text with several secrets (JSON, dotenv), or the name of its source contains `${key}`. A secret with `{}` can
 * be used both with keys and without. `value`: its declaration.
 */
function hasSeveralKeys(value: Node): boolean {
  if (memberOf(value, 'format')) return true;
  const [entry] = entriesOf(value);
  return entry !== undefined && (multiSecretKeys.includes(entry.key.text) || hasKeyExpression(entry.value));
}

/** True for `{}`: the secret `db` comes from the environment variable `TRUEUP_SECRET_db`, and its key `eu` from `TRUEUP_SECRET_db_eu`. */
const isDefaultSource = (value: Node): boolean => value.type === 'map' && value.entries.length === 0;

/**
 * True if the source of a secret contains `${key}`, such as the environment variable `DB_${key}`. Then each key has its own source, which
 * is known only when an expression requests the key: `${secret.db[user]}`.
 */
const hasKeyExpression = (node: Node): boolean =>
  node.type === 'list'
    ? node.items.some(hasKeyExpression)
    : node.type === 'scalar' &&
      parseExpressions(node.text).some(
        (expression) =>
          typeof expression === 'object' && 'steps' in expression && expression.steps[0]!.name === 'key',
      );

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
 * Returns the environment variables that `secrets:` names as sources, in upper case. No variable may read
 * them, because values of variables are shown in plans. Names that contain expressions are missing here;
 * `checkShownSecrets` checks them later. Needed before variables are read.
 */
export const findSecretEnvNames = (sections: Node[]): Set<string> =>
  new Set(
    sections.flatMap(entriesOf).flatMap(({ value }) =>
      [value, memberOf(value, 'json'), memberOf(value, 'dotenv')].flatMap((node) => {
        const env = memberOf(node, 'env');
        return env?.type === 'scalar' ? env.text.trim().toUpperCase() : [];
      }),
    ),
  );

/**
 * Returns a problem for each variable that reads the environment variable of a secret, because plans show the
 * values of variables. Called after variables have values: the name of the environment variable may contain
 * one. `variables`: the requests of all variables to read an environment variable.
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

/** Reads the sections `secrets:`. The secrets of a family are added to `sources` when an expression first uses them. */
export const readSecrets = (sections: Node[], options: SourceOptions): Secrets =>
  new Secrets(sections, options);

/** The declared secrets, including those with an invalid declaration, so that their uses are not reported as well. */
class Secrets implements DeclaredSecretNames {
  readonly report = new Reporter();
  /** The sources by the names under which resources use them. The secret of a family has the name `db[eu]`. */
  readonly sources = new Map<string, SecretSource>();
  /** All declarations by name. `isWrong`: a problem with it was reported, so its uses are not reported as well. */
  readonly declared = new Map<string, { key: ScalarNode; value: Node; isWrong: boolean }>();
  /**
   * The secrets with a default source, by their environment variable. The text of each key is the name of the
   * secret, such as `db[eu]`.
   */
  readonly #keyByDefaultEnv = new Map<string, ScalarNode>();
  /** For each family, the key of each origin, to find two keys with one origin. */
  readonly #keysByOrigin = new Map<string, Map<string, string>>();
  readonly #options: SourceOptions;

  /**
   * Reads all declarations in the sections `secrets:` (each file may have one). A section that is no map is
   * reported and masked, because it may contain a secret and messages quote lines.
   */
  constructor(sections: Node[], options: SourceOptions) {
    this.#options = options;
    for (const section of sections)
      if (section.type === 'map') for (const { key, value } of section.entries) this.#declare(key, value);
      else {
        maskNode(section);
        this.report.error('config/type', '`secrets` must be a map of names', {
          at: section,
          hint: 'secrets: { database: {} }',
        });
      }
  }

  /**
   * Returns the section `secrets:` for `trueup render`, whose output must declare the same secrets again. It
   * contains their sources, not their values. Expressions are replaced by their values, except `${key}`: it
   * stands for the key that a use such as `${secret.db[user]}` requests.
   */
  rendered(): MapNode {
    const expand = expander(this.#options.scope, new Reporter());
    const expandAll = (node: Node): Node => {
      if (node.type === 'list' || node.type === 'map') return mapChildren(node, expandAll);
      return node.type === 'scalar' && hasKeyExpression(node)
        ? keepKeyExpressions(node, expand)
        : expand(node);
    };
    const entries = [...this.declared.values()].map(({ key, value }) => ({ key, value: expandAll(value) }));
    return mapNode(entries, nowhere);
  }

  /** Parses the source of a secret, for one key if it has several. */
  #sourceOf(name: ScalarNode, value: Node, key: string | undefined): ParsedSource | SourceFault {
    return parseSecretSource({ name, value, key }, this.#options, this.report);
  }

  /**
   * Records one declaration under `secrets:` and where the secret comes from. Reports duplicates, invalid
   * sources, and two secrets whose default is the same environment variable. A secret may have several keys
   * (`${secret.db[user]}`); then its source depends on the key and is only checked here. An invalid source is
   * masked, because it may contain the secret itself.
   */
  #declare(key: ScalarNode, value: Node): void {
    const firstDeclaration = this.declared.get(key.text);
    if (firstDeclaration)
      return void this.report.add(duplicateDeclaration('secret', key, firstDeclaration.key));
    const defaultEnv = secretEnv(key.text);
    const usesDefault = isDefaultSource(value);
    const otherKey = usesDefault ? this.#keyByDefaultEnv.get(defaultEnv) : undefined;
    if (usesDefault) this.#keyByDefaultEnv.set(defaultEnv, otherKey ?? key);
    const isFamily = hasSeveralKeys(value);
    // A family has the same problems for each of its keys, so it is parsed here once with any key.
    const source = this.#sourceOf(key, value, isFamily ? 'key' : undefined);
    const isWrong = isFault(source) || otherKey !== undefined;
    this.declared.set(key.text, { key, value, isWrong });
    // An invalid declaration may contain the secret itself.
    if (isFault(source)) maskNode(value);
    if (source === reported) return;
    if (typeof source === 'string')
      this.report.error('secret/source', source, {
        at: key,
        hint: `${key.text}: {} is read from ${defaultEnv}`,
      });
    else if ('code' in source) this.report.add(source);
    else if (otherKey) this.report.add(ambiguousEnv(defaultEnv, key, otherKey));
    else if (!isFamily) this.sources.set(key.text, toSecretSource(key, source));
  }

  /**
   * Returns the problem with an expression that uses a secret without a key, `${secret.db}`, although the
   * secret has several; undefined if it needs none. Without this check, the text with all of its secrets
   * would be sent to the platform as one value.
   */
  needsKey(name: string): Omit<Diagnostic, 'severity' | 'at'> | undefined {
    const declared = this.declared.get(name)!;
    if (declared.isWrong || !hasSeveralKeys(declared.value)) return undefined;
    return {
      code: 'secret/family',
      message: `the secret ${quoted(name)} has several keys, but none is named`,
      hint: `\${secret.${name}[key]}, or \${secret.${name}["key"]}`,
    };
  }

  /**
   * Returns the name of one key of a secret, such as `db[user]` for `${secret.db[user]}`, and records where
   * it comes from, or returns the problem with the key. Two keys with one source are a problem, because both
   * would silently have the same value; so is a key with the environment variable of another secret. `name`
   * must be declared. A wrong declaration was reported before.
   */
  member(name: string, key: string): string | Omit<Diagnostic, 'severity' | 'at'> {
    const declared = this.declared.get(name)!;
    const member = `${name}[${key}]`;
    if (declared.isWrong || this.sources.has(member)) return member;
    if (!/^[A-Za-z0-9._-]+$/.test(key))
      return {
        code: 'secret/key',
        message: `${quoted(key)} is not a valid secret key`,
        hint: 'use letters, digits, `.`, `_` and `-`',
      };
    if (!hasSeveralKeys(declared.value) && !isDefaultSource(declared.value))
      return {
        code: 'secret/key',
        message: `the secret ${quoted(name)} has no keys`,
        hint: 'name them in the source with `${key}`: `env: "DB_${key | upper}"`',
      };
    const source = this.#sourceOf(declared.key, declared.value, key);
    if (isFault(source)) return member;
    // In a text with several secrets, each key names another one.
    const origin = `${originText(source.origin)} ${source.format ? key : ''}`;
    const keyByOrigin = this.#keysByOrigin.get(name) ?? new Map<string, string>();
    this.#keysByOrigin.set(name, keyByOrigin);
    const otherKey = keyByOrigin.get(origin);
    if (otherKey !== undefined)
      return {
        code: 'secret/same-source',
        message: `the keys ${quoted(otherKey)} and ${quoted(key)} of the secret ${quoted(name)} resolve to the same source, ${originText(source.origin)}`,
        hint: 'otherwise both keys would silently get the same value',
      };
    if (isDefaultSource(declared.value)) {
      const env = secretEnv(member);
      const otherSecret = this.#keyByDefaultEnv.get(env);
      const memberKey = { ...declared.key, text: member };
      if (otherSecret) return ambiguousEnv(env, memberKey, otherSecret);
      this.#keyByDefaultEnv.set(env, memberKey);
    }
    keyByOrigin.set(origin, key);
    const pick = source.format ? { pick: { format: source.format, key } } : {};
    this.sources.set(member, { ...toSecretSource(declared.key, source), ...pick });
    return member;
  }
}

/**
 * Returns a text with its expressions replaced by their values, but with `${key}` left as it is. `trueup
 * render` prints the source of a secret with several keys like this, for example `DB_${key | upper}`, because
 * the source has another value for each key.
 */
function keepKeyExpressions(node: ScalarNode, expand: Expand): Node {
  const parts = parseExpressions(node.text).map((parsed): ExpressionNode['parts'][number] => {
    if (typeof parsed === 'string') return parsed;
    if ('error' in parsed) return '';
    const { text, steps } = parsed;
    // The first step of a reference is printed as it is, so it can hold the whole text `key | upper`.
    if (steps[0]!.name === 'key')
      return { type: 'ref', at: node.at, steps: [{ name: text.slice(2, -1).trim(), start: 0 }] };
    const value = expand({ ...node, text, value: text });
    return value.type === 'scalar' ? value.text : '';
  });
  return { type: 'expression', at: node.at, parts };
}

/**
 * Returns a parsed source of a secret with the place of its declaration, so that the secret can be read
 * later, relative to the folder of its file. `key`: the name in the declaration.
 */
const toSecretSource = ({ at }: ScalarNode, { origin }: ParsedSource): SecretSource => ({
  at: positionOf(at),
  folder: at.source.folder ?? '.',
  ...origin,
});
